import { writeFileSync } from 'node:fs';
import { type Row, timesOf } from '../bench.js';
import { withSandbox } from '../sandbox-server.js';
import { requestsOf } from './org-plan.js';

const concurrency = 8;
const answerMs = 20;
const mostRequests = 70;
const words = ['change-requests', 'list', '--all-spaces', '--limit', '5'];

/** The oldest open change requests of 60 spaces: the whole command against a bare program that sends its requests. */
export const changeRequests: Row = (bench) =>
  withSandbox(bench, 'acme', async (sandbox) => {
    const sent = await requestsOf(bench, sandbox, words);
    const { file, env, url, token } = sandbox;
    bench.run(['sandbox', 'fault', '--file', file, '--match', '*', '--delay', `${answerMs}ms`]);
    const list = bench.path('change-requests.json');
    writeFileSync(list, JSON.stringify(sent));
    const [ours = [], theirs = []] = await bench.inTurns(
      [bench.docs(words, { env }), bench.bare('requests', [list, url, token])],
      { runs: 10 },
    );
    const what = '`docs change-requests list --all-spaces`';
    const least = Math.ceil(sent.length / concurrency) * answerMs;
    return [
      {
        what: `${what}, 60 spaces, answered after ${answerMs} ms`,
        against: `the ideal, a bare program with its ${sent.length} requests, ${concurrency} at once (${least} ms)`,
        ...{ goal: { most: 1.25 }, ...timesOf(ours, theirs) },
      },
      {
        ...{ what: `${what}: requests`, against: `${mostRequests}`, goal: { most: 1 } },
        ...{ unit: 'requests', ours: [sent.length], theirs: [mostRequests] },
      },
    ];
  });
