import { describe, expect, it } from 'vitest';
import { obligationKey, type ObligationKey } from '../../src/contract.js';
import { status, useScene, word, type Answer } from '../support/scene.js';
import { eventually } from '../support/waybill.js';

const scene = useScene();
const { answers, becomes, handle, owe, traced } = scene;

const LONG = { firstRetryMs: 600_000, ceilingMs: 600_000 };
const SOON = { firstRetryMs: 2_500, ceilingMs: 2_500 };

/** An endpoint that takes the request and answers when told. */
function holding(): { answer: Answer; release: (code: number) => void; isOpen: () => boolean } {
  let held: Parameters<Answer>[0] | undefined;
  return {
    answer: (reply) => void (held = reply),
    release: (code) => held && status(code)(held),
    isOpen: () => held !== undefined && !held.response.destroyed,
  };
}
const until = (what: string, is: () => boolean) =>
  eventually(() => Promise.resolve(is() ? true : undefined), what);

describe('subscribers of one event', () => {
  it('each keep their own retries, audit and redrive, also two with the same URL', async () => {
    const { receiver, waybill } = scene;
    const url = `https://localhost:${receiver.port}/shared`;
    answers.set('/shared', status(503));
    const added = await waybill.client.addSubscribers(
      ['one', 'two', 'three'].map((name) => ({
        ...{ name, url: name === 'three' ? `${url}-not` : url, labels: { group: 'own' } },
        policy: { firstRetryMs: 300, ceilingMs: 300, maxTries: 2, timeoutMs: 2_000 },
      })),
    );
    answers.set('/shared-not', status(503));
    await waybill.client.publish({
      ...{ shipment: 'own', version: 1, type: 'shipment.late', payload: 'x', labels: { group: 'own' } },
    });
    const keys = added.map(({ id }) => obligationKey('own', id, 1)) as [
      ObligationKey,
      ObligationKey,
      ObligationKey,
    ];
    for (const key of keys) expect((await becomes(key, 'dead')).attempts).toHaveLength(2);
    answers.set('/shared', status(200));
    await waybill.client.redrive(keys[0], word('mended'));
    expect((await becomes(keys[0], 'delivered')).attempts).toHaveLength(3);
    for (const key of keys.slice(1)) {
      const { audit, attempts, obligation } = await traced(key);
      expect({ audit, attempts: attempts.length, is: obligation.disposition }).toEqual({
        ...{ audit: [], attempts: 2, is: 'dead' },
      });
    }
  });
});

describe('removing a subscriber', () => {
  it('ends what waits for it, sends nothing more, keeps the history, and may be said twice', async () => {
    const o = await owe(status(503), SOON);
    await o.publish();
    await becomes(o.key, 'waiting');
    await scene.waybill.client.actOnSubscriber('remove', o.name, word('contract over', 'gone-1'));
    expect(await handle(o.key).result()).toMatchObject({ disposition: 'removed' });
    const again = await scene.waybill.client.actOnSubscriber('remove', o.subscriber, word('once more'));
    expect(again).toMatchObject({ ok: true });
    const { attempts, obligation } = await traced(o.key);
    expect(obligation.disposition).toBe('removed');
    expect(attempts).toHaveLength(1);
    expect(o.requests()).toHaveLength(1);
    await expect(scene.waybill.client.redrive(o.key, word('bring it back'))).rejects.toMatchObject({
      code: 'already_final',
    });
  });

  it('lets what is on the wire end as it ends, on record, and nothing after it', async () => {
    const held = holding();
    const o = await owe(held.answer, { ...SOON, timeoutMs: 20_000 });
    await o.publish();
    await until('the request is open', held.isOpen);
    await scene.waybill.client.actOnSubscriber('remove', o.subscriber, word('contract over'));
    held.release(503);
    expect(await handle(o.key).result()).toMatchObject({ disposition: 'removed', attempts: 1 });
    const { attempts } = await eventually(async () => {
      const trace = await traced(o.key);
      return trace.attempts[0]?.outcome ? trace : undefined;
    }, 'the attempt has an outcome');
    expect(['cancelled', 'failed']).toContain(attempts[0]?.outcome);
    expect(o.requests()).toHaveLength(1);
  });
});

describe('editing a subscriber', () => {
  it('holds from the next attempt on; what is on the wire ends at the old URL, and the record tells both', async () => {
    const held = holding();
    const o = await owe(held.answer, { ...SOON, firstRetryMs: 300, timeoutMs: 20_000 });
    await o.publish();
    await until('the request is open', held.isOpen);
    const moved = `${o.path}-moved`;
    await scene.waybill.client.updateSubscriber(o.name, {
      url: `https://127.0.0.1:${scene.receiver.port}${moved}`,
    });
    held.release(503);
    const { attempts } = await becomes(o.key, 'delivered');
    const port = scene.receiver.port;
    expect(attempts.map((a) => [a.urlOrigin, a.urlVersion, a.outcome])).toEqual([
      [`https://localhost:${port}`, 1, 'failed'],
      [`https://127.0.0.1:${port}`, 2, 'delivered'],
    ]);
    expect(o.requests()).toHaveLength(1);
    expect(scene.receiver.requests.filter((r) => r.path === moved)).toHaveLength(1);
  });

  it('to a URL that may not be reached is refused, and the old one goes on', async () => {
    const o = await owe(status(503), LONG);
    await o.publish();
    await becomes(o.key, 'waiting');
    for (const url of ['https://10.0.0.7/hook', 'https://[::ffff:a00:7]/hook', 'http://example.com/']) {
      await expect(scene.waybill.client.updateSubscriber(o.name, { url })).rejects.toMatchObject({
        ...{ code: 'url_refused', field: 'url' },
      });
    }
    const [row] = await scene.waybill.client.find({ key: o.key });
    expect(row).toMatchObject({ disposition: 'waiting' });
    await scene.waybill.client.terminate(o.key, word('clean up'));
  });

  it('to other event types leaves what is owed already owed', async () => {
    const o = await owe(status(503), SOON);
    await o.publish();
    await becomes(o.key, 'waiting');
    await scene.waybill.client.updateSubscriber(o.name, { eventTypes: ['invoice.*'] });
    answers.set(o.path, status(200));
    expect((await becomes(o.key, 'delivered')).attempts).toHaveLength(2);
  });
});

describe('a payload that is gone', () => {
  it('ends its delivery as blocked, with nothing sent, and a redrive works once it is back', async () => {
    const o = await owe(status(503), SOON);
    const { eventId } = await o.publish();
    await becomes(o.key, 'waiting');
    const keep = 'CREATE TABLE waybill.kept AS SELECT * FROM waybill.event_payloads WHERE event_id = $1';
    await scene.db.admin.query(keep.replace('$1', String(eventId)));
    await scene.db.admin.query('DELETE FROM waybill.event_payloads WHERE event_id = $1', [eventId]);
    // The worker that sent it before still has the verified bytes; one that starts anew has to read them.
    await scene.restartWorker();
    answers.set(o.path, status(200));
    const { attempts } = await becomes(o.key, 'dead');
    expect(attempts.at(-1)).toMatchObject({ outcome: 'blocked', class: 'payload_unavailable', sent: 'no' });
    expect(o.requests()).toHaveLength(1);
    await scene.db.admin.query('INSERT INTO waybill.event_payloads SELECT * FROM waybill.kept');
    await scene.waybill.client.redrive(o.key, word('the payload is back'));
    expect((await becomes(o.key, 'delivered')).attempts).toHaveLength(3);
  });
});
