import { describe, expect, it } from 'vitest';
import type { ObligationKey } from '../../src/contract.js';
import { status, useScene, word } from '../support/scene.js';
import { eventually, startWaybill } from '../support/waybill.js';

const scene = useScene();
const { answers, becomes, handle, owe, traced } = scene;
const workflowStatus = (key: ObligationKey, wanted: string) =>
  eventually(
    async () => ((await handle(key).describe()).status.name === wanted ? true : undefined),
    `workflow is ${wanted}`,
  );

describe('one event, one subscriber', () => {
  it('is delivered once, and its workflow says so', async () => {
    const o = await owe(status(204));
    await o.publish();
    const { attempts, audit } = await becomes(o.key, 'delivered');
    expect(attempts).toMatchObject([{ attempt: 1, outcome: 'delivered', status: 204, initiator: 'publish' }]);
    expect(audit).toEqual([]);
    expect(o.requests()).toHaveLength(1);
    expect(await handle(o.key).result()).toEqual({ disposition: 'delivered', attempts: 1 });
  });

  it('keeps one key over all attempts, numbers them, and gives up after its tries', async () => {
    const o = await owe(status(503));
    await o.publish();
    const { attempts, obligation } = await becomes(o.key, 'dead');
    expect(obligation).toMatchObject({ attempts: 3, tries: 3, lastStatus: 503 });
    expect(attempts.map((a) => [a.attempt, a.outcome, a.counted])).toEqual(
      [1, 2, 3].map((n) => [n, 'failed', true]),
    );
    expect(
      o
        .requests()
        .map((r) => [r.headers['idempotency-key'], r.headers['webhook-id'], r.headers['waybill-attempt']]),
    ).toEqual(['1', '2', '3'].map((n) => [o.key, o.key, n]));
  });

  it('that nobody can tell of is unknown, and asked again under the same key', async () => {
    let first = true;
    const o = await owe((reply) => {
      if (!first) return status(200)(reply);
      first = false;
      reply.reset();
    });
    await o.publish();
    const { attempts } = await becomes(o.key, 'delivered');
    expect(attempts).toMatchObject([
      { outcome: 'unknown', class: 'reset', sent: 'maybe', counted: true },
      { outcome: 'delivered' },
    ]);
  });

  it('whose payload no longer has its digest is blocked: nothing is sent', async () => {
    const o = await owe(status(200));
    await scene.waybill.client.actOnSubscriber('pause', o.subscriber, word('first break the payload'));
    const { eventId } = await o.publish();
    await becomes(o.key, 'held');
    await scene.db.admin.query(`UPDATE waybill.event_payloads SET bytes = 'other' WHERE event_id = $1`, [
      eventId,
    ]);
    await scene.waybill.client.actOnSubscriber('resume', o.subscriber, word('go'));
    const { attempts } = await becomes(o.key, 'dead');
    expect(attempts).toMatchObject([{ outcome: 'blocked', class: 'payload_unavailable', sent: 'no' }]);
    expect(o.requests()).toEqual([]);
  });
});

describe('pause', () => {
  it('of a subscriber holds what is published meanwhile, and a resume delivers it', async () => {
    const o = await owe(status(200));
    expect(await scene.waybill.client.actOnSubscriber('pause', o.name, word('maintenance'))).toMatchObject({
      confirmed: true,
    });
    await o.publish();
    const { obligation } = await becomes(o.key, 'held');
    expect(obligation).toMatchObject({ heldReason: 'subscriber_paused', heldBy: 'ann', attempts: 0 });
    const isHeld = () => handle(o.key).query<{ is: string }>('status');
    await eventually(
      () =>
        isHeld().then(
          ({ is }) => (is === 'held' ? true : undefined),
          () => undefined,
        ),
      'its workflow is held',
    );
    expect(o.requests()).toEqual([]);
    await scene.waybill.client.actOnSubscriber('resume', o.name, word('maintenance over'));
    expect((await becomes(o.key, 'delivered')).attempts).toHaveLength(1);
  });

  it('of an obligation, signalled with Temporal’s own tools, uses no try and is on record', async () => {
    const o = await owe(status(503), { firstRetryMs: 2_000, maxTries: 2 });
    await o.publish();
    await becomes(o.key, 'waiting');
    await handle(o.key).signal('pause', { actor: 'bob', reason: 'partner called', requestId: 'p-1' });
    const held = await becomes(o.key, 'held');
    expect(held.audit).toMatchObject([
      {
        act: 'pause',
        actor: 'bob',
        reason: 'partner called',
        requestId: 'p-1',
        source: 'temporal',
        refused: null,
      },
    ]);
    answers.set(o.path, status(200));
    await handle(o.key).signal('resume', { actor: 'bob', reason: 'partner is back', requestId: 'p-2' });
    const { attempts, obligation } = await becomes(o.key, 'delivered');
    expect(attempts).toHaveLength(2);
    expect(obligation.tries).toBe(2);
  });
});

describe('terminate', () => {
  it('in mid attempt closes the socket, and nothing is sent afterwards', async () => {
    const o = await owe(() => undefined, { timeoutMs: 60_000 });
    await o.publish();
    await eventually(async () => (o.requests().length > 0 ? true : undefined), 'the request hangs');
    const open = scene.receiver.openSockets();
    expect(await scene.waybill.client.terminate(o.key, word('duplicate'))).toMatchObject({
      ok: true,
      confirmed: false,
    });
    await eventually(
      async () => (scene.receiver.openSockets() < open ? true : undefined),
      'the socket is closed',
      10_000,
    );
    const { attempts, audit } = await eventually(async () => {
      const trace = await traced(o.key);
      return trace.attempts[0]?.outcome ? trace : undefined;
    }, 'the attempt is settled');
    expect(attempts).toMatchObject([
      { outcome: 'cancelled', class: 'called_off', sent: 'maybe', counted: false },
    ]);
    expect(audit).toMatchObject([{ act: 'terminate', actor: 'ann', reason: 'duplicate' }]);
    expect(await handle(o.key).result()).toEqual({ disposition: 'terminated', attempts: 1 });
    expect(o.requests()).toHaveLength(1);
  });

  it('of one whose attempt no worker has taken up ends it, too', async () => {
    const asleep = await startWaybill(scene.db, scene.temporal, scene.trust, {
      roles: ['relay', 'obligations'],
    });
    await scene.waybill.worker.stop();
    const o = await owe(status(200));
    await o.publish();
    await eventually(async () => {
      const description = await handle(o.key)
        .describe()
        .catch(() => undefined);
      return description?.raw.pendingActivities?.length === 1 ? true : undefined;
    }, 'its attempt is scheduled');
    await scene.waybill.client.terminate(o.key, word('nobody is there'));
    expect(await handle(o.key).result()).toEqual({ disposition: 'terminated', attempts: 0 });
    expect(o.requests()).toEqual([]);
    await asleep.stop();
    await scene.waybill.client.close();
    scene.waybill = await startWaybill(scene.db, scene.temporal, scene.trust);
  });

  it('of what waits ends it at once', async () => {
    const o = await owe(status(503), { firstRetryMs: 600_000, ceilingMs: 600_000 });
    await o.publish();
    await becomes(o.key, 'waiting');
    await scene.waybill.client.terminate(o.key, word('no longer wanted'));
    expect(await handle(o.key).result()).toMatchObject({ disposition: 'terminated' });
    await expect(scene.waybill.client.resume(o.key, word('again'))).rejects.toMatchObject({
      code: 'already_final',
    });
  });
});

describe('redrive', () => {
  it('of a dead one, twice under one request id, is one more round and a delivery', async () => {
    const o = await owe(status(400));
    await o.publish();
    await becomes(o.key, 'dead');
    answers.set(o.path, status(200));
    await Promise.all(
      [1, 2].map(() => scene.waybill.client.redrive(o.key, word('receiver mended', 'again-1'))),
    );
    const { attempts, audit } = await becomes(o.key, 'delivered');
    expect(attempts.map((a) => [a.round, a.outcome, a.initiator])).toEqual([
      [0, 'rejected', 'publish'],
      [1, 'delivered', 'redrive by ann (again-1)'],
    ]);
    expect(audit.filter((a) => a.act === 'redrive')).toHaveLength(1);
    expect(await handle(o.key).result()).toEqual({ disposition: 'delivered', attempts: 2 });
  });

  it('by a plain signal from any tool works while the window is open', async () => {
    const o = await owe(status(400));
    await o.publish();
    await becomes(o.key, 'dead');
    answers.set(o.path, status(200));
    await handle(o.key).signal('redrive', { actor: 'bob', reason: 'mended', requestId: 'r' });
    expect((await becomes(o.key, 'delivered')).attempts).toHaveLength(2);
  });

  it('of one that still waits is refused on record, and changes nothing', async () => {
    const o = await owe(status(503), { firstRetryMs: 600_000, ceilingMs: 600_000 });
    await o.publish();
    await becomes(o.key, 'waiting');
    await handle(o.key).signal('redrive', { actor: 'bob', reason: 'impatient', requestId: 'r' });
    await handle(o.key).signal('terminate', { actor: 'a\u0000', reason: 'x', requestId: 'y' });
    const { audit, obligation } = await eventually(async () => {
      const trace = await traced(o.key);
      return trace.audit.length === 2 ? trace : undefined;
    }, 'both are on record');
    expect(audit.map((a) => [a.act, a.refused])).toEqual([
      ['redrive', 'not_dead'],
      ['terminate', 'invalid_field'],
    ]);
    expect(obligation).toMatchObject({ disposition: 'waiting', attempts: 1 });
    await scene.waybill.client.terminate(o.key, word('clean up'));
  });

  it('is over with its window: the workflow ends as failed, and a later one is refused', async () => {
    const o = await owe(status(400), { redriveWindowMs: 500 });
    await o.publish();
    await becomes(o.key, 'dead');
    await workflowStatus(o.key, 'FAILED');
    await expect(handle(o.key).result()).rejects.toMatchObject({ cause: { type: 'dead' } });
    await expect(scene.waybill.client.redrive(o.key, word('too late'))).rejects.toMatchObject({
      code: 'redrive_window_over',
    });
  });
});

describe('a lost record', () => {
  it('holds its story instead of ending it, sends nothing, and keeps what people said until it is back', async () => {
    const o = await owe(status(503), { firstRetryMs: 1_500, ceilingMs: 1_500, maxTries: 100 });
    await o.publish();
    await becomes(o.key, 'waiting');
    const sent = o.requests().length;
    await scene.db.admin.query(
      'CREATE TABLE waybill.lost AS SELECT * FROM waybill.obligations WHERE key = $1',
      [o.key],
    );
    await scene.db.admin.query('DELETE FROM waybill.obligations WHERE key = $1', [o.key]);
    const told = () => handle(o.key).query<{ is: string; reason: string }>('status');
    await eventually(
      async () => ((await told()).reason === 'record-lost' ? true : undefined),
      'the story is held',
    );
    await handle(o.key).signal('terminate', { actor: 'bob', reason: 'give up', requestId: 'lost-1' });
    await eventually(async () => {
      const { events } = await handle(o.key).fetchHistory();
      const failed = events?.filter((event) => event.activityTaskFailedEventAttributes);
      return failed && failed.length >= 2 ? true : undefined;
    }, 'the word could not be judged');
    expect(o.requests()).toHaveLength(sent);
    await scene.db.admin.query('INSERT INTO waybill.obligations SELECT * FROM waybill.lost');
    await handle(o.key).signal('recheck');
    expect(await handle(o.key).result()).toMatchObject({ disposition: 'terminated' });
    expect((await traced(o.key)).audit).toMatchObject([
      { act: 'terminate', actor: 'bob', requestId: 'lost-1' },
    ]);
    expect(o.requests()).toHaveLength(sent);
  });
});

describe('a long story', () => {
  it('of many signals rolls over without losing one, and the last command wins', async () => {
    const o = await owe(status(503), { firstRetryMs: 600_000, ceilingMs: 600_000 });
    await o.publish();
    await becomes(o.key, 'waiting');
    const firstRun = (await handle(o.key).describe()).runId;
    const count = 1_200;
    for (let i = 0; i < count; i++) {
      const verb = i % 2 === 0 ? 'pause' : 'resume';
      await handle(o.key).signal(verb, { actor: 'bob', reason: 'drill', requestId: `n-${i}` });
    }
    const audit = await eventually(
      async () => {
        const trace = await traced(o.key);
        return trace.audit.length === count ? trace.audit : undefined;
      },
      'every signal is on record',
      60_000,
    );
    expect(audit.map((a) => a.requestId)).toEqual(Array.from({ length: count }, (_, i) => `n-${i}`));
    expect(audit.every((a) => a.refused === null)).toBe(true);
    expect((await becomes(o.key, 'waiting')).obligation.attempts).toBe(1);
    const now = await handle(o.key).describe();
    expect(now.runId).not.toBe(firstRun);
    expect(now.historyLength).toBeLessThan(2_000);
    await scene.waybill.client.terminate(o.key, word('clean up'));
    await workflowStatus(o.key, 'COMPLETED');
  }, 90_000);
});
