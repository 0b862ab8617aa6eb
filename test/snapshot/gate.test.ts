import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Client, createClient } from '../../src/api/client.js';
import { gated, nextPiece } from '../../src/snapshot/gate.js';

const answerMs = 200;

/** A client that notes what it sends, and answers once it is told. */
function slowClient(notes: string[]) {
  const answers = new Map<string, () => void>();
  const send: Client['send'] = ({ path }) => {
    notes.push(path);
    const answer = { status: 200, headers: {}, body: {}, attempts: 1, requestId: undefined };
    return new Promise((done) => answers.set(path, () => done(answer)));
  };
  const download = () => Promise.reject(new Error('Nothing is downloaded.'));
  const client = createClient({ send, download, close: async () => {}, platformNowMs: undefined });
  return { client, answer: (path: string) => answers.get(path)?.() };
}

const get = (path: string) => ({ method: 'GET', path, read: 'json' }) as const;

test('a piece of other work waits while an answer is due behind which requests wait', async () => {
  const notes: string[] = [];
  const { client, answer } = slowClient(notes);
  const gate = gated(client, 1);
  const first = gate.ahead(get('/1'));
  await sleep(answerMs);
  answer('/1');
  await first;
  const second = gate.ahead(get('/2'));
  const third = gate.ahead(get('/3'));
  await nextPiece();
  notes.push('a piece at once');
  await sleep(answerMs);
  const piece = nextPiece().then(() => notes.push('a piece that gave way'));
  await sleep(answerMs / 10);
  answer('/2');
  await Promise.all([second, piece]);
  expect(notes).toEqual(['/1', '/2', 'a piece at once', '/3', 'a piece that gave way']);
  await nextPiece();
  answer('/3');
  await third;
});

test('it waits no longer than the fastest answer took', async () => {
  const { client, answer } = slowClient([]);
  const gate = gated(client, 1);
  const first = gate.ahead(get('/1'));
  await sleep(answerMs / 10);
  answer('/1');
  await first;
  gate.ahead(get('/2'));
  const third = gate.ahead(get('/3'));
  await sleep(answerMs / 10);
  await nextPiece();
  gate.end(new Error('Nobody answers.'));
  await expect(third).rejects.toThrow('Nobody answers.');
});
