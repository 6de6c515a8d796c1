import { validateHeaderValue } from 'node:http';
import { describe, expect, test } from 'vitest';
import { deliveryHeaders, headerFault } from '../../src/wire/headers.js';

const INPUT = {
  key: 's%201:sub_x:7',
  attempt: 3,
  eventType: 'shipment.delivered',
  shipment: 'Päckchen 1 📦\r\nx-evil: 1',
  version: 7,
  contentType: 'application/json',
  bodyBytes: 2,
};

test('the headers of an attempt', () => {
  const headers = deliveryHeaders(INPUT);
  expect(headers).toEqual({
    'webhook-id': 's%201:sub_x:7',
    'idempotency-key': 's%201:sub_x:7',
    'waybill-event-type': 'shipment.delivered',
    'waybill-shipment': 'P%C3%A4ckchen%201%20%F0%9F%93%A6%0D%0Ax-evil%3A%201',
    'waybill-version': '7',
    'waybill-attempt': '3',
    'content-type': 'application/json',
    'content-length': '2',
    'user-agent': expect.stringMatching(/^waybill\/\d+\.\d+\.\d+/),
  });
  for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, value);
  expect(headerFault(headers, 2)).toBeUndefined();
});

test.each([undefined, null, ''])('content type %j: no header', (contentType) => {
  expect(deliveryHeaders({ ...INPUT, contentType })).not.toHaveProperty('content-type');
});

describe('headers that cannot go out', () => {
  test.each([
    ['a line end in a value', { 'x-a': 's3cret\r\nX-Evil: 1' }],
    ['an emoji in a value', { 'x-a': 's3cret 🙂' }],
    ['a NUL in a value', { 'x-a': 's3cret\u0000' }],
    ['a number', { 'x-a': 5 }],
    ['an array', { 'x-a': ['s3cret'] }],
    ['undefined', { 'x-a': undefined }],
    ['a blank in a name', { 'x a': 's3cret' }],
    ['an empty name', { '': 's3cret' }],
    ['expect', { Expect: '100-continue' }],
    ['transfer-encoding', { 'Transfer-Encoding': 'chunked' }],
    ['connection', { connection: 'close' }],
    ['host', { Host: 'other.example' }],
    ['upgrade', { upgrade: 'h2c' }],
    ['a content length that is not that of the body', { 'content-length': '3' }],
  ])('%s', (_what, headers) => {
    const fault = headerFault(headers, 2);
    expect(fault).toBeTypeOf('string');
    expect(fault).not.toContain('s3cret');
  });
});
