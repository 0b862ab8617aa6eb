import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shellWords } from '../../../src/base/shell-word.js';
import { CommandFinder } from '../../../src/browser/command-finder.js';
import { commandTree } from '../../../src/cli/declare/outline.js';
import { groups } from '../../../src/commands/index.js';
import {
  afterGuard,
  besideGuard,
  type RecordingPlatform,
  startRecordingPlatform,
} from '../../cli/run/recording-platform.js';
import { requestCase, type SentRequest } from '../../cli/run/request-cases.js';

/** The commands that the log of requests offers: each, when run, sends the request that it was made of. */

let platform: RecordingPlatform;
let finder: CommandFinder;
beforeAll(async () => {
  platform = await startRecordingPlatform();
  finder = await CommandFinder.open(groups, { sandbox: true }, 'linux');
});
afterAll(() => platform.close());

const origin = 'http://127.0.0.1:4000';

const cases = (await commandTree(groups))
  .filter(({ command }) => command.spec !== undefined)
  .flatMap(({ path, command }) =>
    command.operations.map((op) => ({ name: op.id, command, ...requestCase(path, command, op, 'most') })),
  );

const withQuery = ({ path, query }: SentRequest) => {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
};

/** Without the place in the list: a command reads all. */
const whole = ({ query, ...rest }: SentRequest): SentRequest => ({
  ...rest,
  query: query.filter(([key]) => key !== 'limit' && key !== 'page'),
});

describe('a command made of a request', () => {
  it.each(cases)('$name', async ({ command, op, expected }) => {
    const { command: text = '' } = finder.copiesOf(
      { method: expected.method, path: withQuery(expected) },
      origin,
    );
    expect(text).toMatch(/^docs .* --sandbox$/);
    const [, ...words] = shellWords(text);
    writeFileSync(join(platform.home, 'body.json'), JSON.stringify(expected.body ?? {}));
    const { returns, success } = op;
    const status = typeof success === 'number' ? success : success[0];
    const body =
      returns.kind === 'page'
        ? { items: [] }
        : returns.kind === 'none'
          ? undefined
          : returns.schema.type === 'array'
            ? []
            : {};
    const more = op.method === 'GET' ? [] : ['--yes'];
    const ran = await platform.run([...words.slice(0, -1), ...more], afterGuard(op, { status, body }));
    expect({ code: ran.code, stderr: ran.code === 0 ? '' : ran.stderr }).toEqual({ code: 0, stderr: '' });
    const [sent] = besideGuard(command, ran.sent);
    expect(sent && whole(sent)).toEqual(whole(expected));
  });

  it.each([
    ['GET', '/v1/orgs', 'docs orgs list --sandbox'],
    ['GET', '/v1/spaces/s%201', "docs spaces get 's 1' --sandbox"],
    ['GET', "/v1/spaces/it's", "docs spaces get 'it'\\''s' --sandbox"],
    ['GET', '/v1/nothing?a=1', "docs api GET '/v1/nothing?a=1' --sandbox"],
    ['GET', '/v1/spaces/%0arm', 'docs api GET /v1/spaces/%0arm --sandbox'],
    ['GET', '/v1/spaces/%1b%5b201~', "docs api GET '/v1/spaces/%1b%5b201~' --sandbox"],
    ['GET', '/v1/spaces/--yes', 'docs api GET /v1/spaces/--yes --sandbox'],
    ['GET', '/v1/spaces/$(reboot)', "docs spaces get '$(reboot)' --sandbox"],
    ['PATCH', '/v1/spaces/s1', 'docs spaces update s1 --input body.json --sandbox'],
  ])('%s %s is %s', (method, path, command) => {
    expect(finder.copiesOf({ method, path }, origin).command).toBe(command);
  });

  it('names another database by the address of its server', async () => {
    const other = await CommandFinder.open(groups, { baseUrl: origin }, 'linux');
    const { command } = other.copiesOf({ method: 'DELETE', path: '/v1/spaces/s1' }, origin);
    expect(command).toBe(`docs spaces delete s1 --base-url ${origin}`);
  });

  it('is none for a path that nobody could type', () => {
    expect(finder.copiesOf({ method: 'GET', path: '/v1/\u00ff' }, origin)).toEqual({});
    expect(finder.copiesOf({ method: 'GET;x', path: '/v1/orgs' }, origin)).toEqual({});
  });
});

describe('a line for curl', () => {
  it('has no token, and a file for the body', () => {
    const of = (method: string, path: string) => finder.copiesOf({ method, path }, origin).curl;
    const token = '-H "Authorization: Bearer $DOCS_TOKEN"';
    expect(of('GET', '/v1/orgs?limit=5')).toBe(`curl ${token} '${origin}/v1/orgs?limit=5'`);
    expect(of('PATCH', "/v1/spaces/it's")).toBe(
      `curl -X PATCH ${token} -H 'Content-Type: application/json' --data @body.json '${origin}/v1/spaces/it'\\''s'`,
    );
  });
});
