import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openControl, type SandboxControl } from '../../../src/sandbox/control.js';
import { seedId } from '../client.js';
import * as ops from '../operations.js';
import { type Answer, cookieOf, formIn, formType, openVisited, type Visited } from './visitor.js';

/** The forms of the pages: what they do, and that nobody else can send one. */

let sandbox: Visited;
beforeAll(async () => {
  sandbox = await openVisited();
});
afterAll(() => sandbox.close());

async function control<T>(work: (control: SandboxControl) => T): Promise<T> {
  const opened = await openControl(sandbox.file, sandbox.outside.io);
  try {
    return await work(opened);
  } finally {
    opened.close();
  }
}
beforeEach(() => control((opened) => opened.reset()));

/** The fields of the form that moves the clock by a day. */
const clockForm = async () => formIn((await sandbox.visit('/sandbox/clock')).body, 'clock', { shift: '+1d' });
const post = (form: Record<string, string>, headers: Record<string, string>): Promise<Answer> =>
  sandbox.send('/sandbox/do/clock', headers, 'POST', new URLSearchParams(form).toString());
const right = async () => ({ cookie: await sandbox.cookie(), origin: sandbox.url, ...formType });
const now = () => control(({ clock }) => clock.now());
const dayMs = 86_400_000;

describe('a form', () => {
  it('does what its command does, leads back, and says once what was done', async () => {
    const before = await now();
    const { status, headers } = await sandbox.submit('/sandbox/clock', 'clock', { shift: '+8d' });
    expect({ status, location: headers.location }).toEqual({ status: 303, location: '/sandbox/clock' });
    expect((await now()) - before).toBe(8 * dayMs);
    const { body } = await sandbox.visit('/sandbox/clock');
    expect(body).toMatch(
      /role="status">✓ The clock of the sandbox shows 2026-01-13T\S+Z\. <code class="cmd">docs sandbox clock \+8d<\/code>/,
    );
    expect((await sandbox.visit('/sandbox/clock')).body).not.toContain('role="status"');
  });

  it('is in the log of requests, with what was typed and without its ticket', async () => {
    await sandbox.submit('/sandbox/clock', 'clock', { shift: '-1h' });
    await sandbox.submit('/sandbox/clock', 'clock', { shift: 'soon' });
    const logged = await control(({ requests }) => requests());
    expect(logged.map(({ method, path, status, caller }) => [method, path, status, caller])).toEqual([
      ['POST', '/sandbox/do/clock?shift=-1h', 303, null],
      ['POST', '/sandbox/do/clock?shift=soon', 400, null],
    ]);
  });

  it('says what was wrong, and leads back', async () => {
    const { status, body } = await sandbox.submit('/sandbox/clock', 'clock', { shift: '<b>' });
    expect(status).toBe(400);
    expect(body).toContain('<h1><bdi>Nothing was done</bdi></h1>');
    expect(body).toContain('Invalid shift &quot;&lt;b&gt;&quot;; expected one such as +7d');
    expect(body).toContain('href="/sandbox/clock"');
  });

  it('leads back to nothing but a page', async () => {
    for (const back of [
      'https://evil.example/',
      '//evil.example/',
      '/v1/orgs',
      '/sandbox/\r\nx: y',
      '/sandbox/\\x',
    ]) {
      const form = { ...(await clockForm()), back };
      expect((await post(form, await right())).headers.location).toBe('/sandbox/');
    }
  });
});

describe('a form that is not of a page is refused, and does nothing:', () => {
  const refused: Record<string, (headers: Record<string, string>) => Record<string, string>> = {
    'without a cookie': ({ cookie: _, ...rest }) => rest,
    'with another cookie': (headers) => ({ ...headers, cookie: `${headers.cookie}x` }),
    'without an origin': ({ origin: _, ...rest }) => rest,
    'of no origin': (headers) => ({ ...headers, origin: 'null' }),
    'of another origin': (headers) => ({ ...headers, origin: 'https://evil.example' }),
    'of another port': (headers) => ({ ...headers, origin: 'http://127.0.0.1:1' }),
    'of the other name of this machine': (headers) => ({
      ...headers,
      origin: (headers.origin ?? '').replace('127.0.0.1', 'localhost'),
    }),
    'to another host': (headers) => ({ ...headers, host: 'evil.example' }),
    'of another site': (headers) => ({ ...headers, 'sec-fetch-site': 'cross-site' }),
    'of the same site': (headers) => ({ ...headers, 'sec-fetch-site': 'same-site' }),
  };
  it.each(Object.entries(refused))('%s', async (_, change) => {
    const [before, form] = [await now(), await clockForm()];
    expect((await post(form, change(await right()))).status).toBe(403);
    expect(await now()).toBe(before);
    expect(await control(({ requests }) => requests())).toEqual([]);
    expect((await post(form, await right())).status).toBe(303);
  });

  it('with a ticket that was used, invented, left out, or of another visitor', async () => {
    const form = await clockForm();
    await post(form, await right());
    const before = await now();
    const other = cookieOf(await sandbox.send(await sandbox.ticket()));
    const fresh = await clockForm();
    const { ticket: _, ...without } = fresh;
    for (const [sent, headers] of [
      [form, await right()],
      [{ ...fresh, ticket: 'a'.repeat(43) }, await right()],
      [without, await right()],
      [fresh, { ...(await right()), cookie: other }],
    ] as const) {
      const { status, body } = await post(sent, headers);
      expect(status).toBe(403);
      expect(body).toContain('This form was already sent, or is of an old page');
    }
    expect(await now()).toBe(before);
    expect((await post(fresh, await right())).status).toBe(303);
  });

  it('of another type, or too large', async () => {
    const form = await clockForm();
    for (const type of ['text/plain', 'multipart/form-data; boundary=x', 'application/json', ''])
      expect((await post(form, { ...(await right()), 'content-type': type })).status).toBe(415);
    expect((await post({ ...form, shift: 'x'.repeat(70_000) }, await right())).status).toBe(413);
  });

  it('by a link: an action takes only forms', async () => {
    const before = await now();
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
      const path = `/sandbox/do/clock?${new URLSearchParams(await clockForm())}`;
      const { status, headers } = await sandbox.send(path, await right(), method);
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: 'POST' });
    }
    expect(await now()).toBe(before);
    expect((await sandbox.send('/sandbox/do/nothing', await right(), 'POST')).status).toBe(404);
  });
});

describe('see as', () => {
  const org = seedId('org acme');
  const at = (...rest: string[]) => ['/sandbox/orgs', org, ...rest].join('/');

  it('shows what a member sees, with the way back on every page', async () => {
    const { items } = await sandbox.admin.ok(ops.listMembers, { path: { organizationId: org } });
    const reader = items.find(({ role }) => role === 'read');
    const user = reader?.id ?? '';
    expect((await sandbox.visit(at('saml'))).status).toBe(200);
    const { body: all } = await sandbox.visit(at('spaces'));
    expect((await sandbox.submit(at('members', user), 'see-as', { org, user })).status).toBe(303);
    const { items: seen } = await sandbox.admin.ok(ops.listMemberSpaces, {
      path: { organizationId: org, userId: user },
    });
    const { body } = await sandbox.visit(at('spaces'));
    const links = (text: string) => new Set(text.match(/\/spaces\/\w{20}(?=")/g)).size;
    expect(links(body)).toBe(seen.length);
    expect(links(all)).toBeGreaterThan(seen.length);
    expect(body).toContain(`You see <bdi>Acme Docs</bdi> as <bdi>${reader?.user.displayName}</bdi>, read.`);
    expect((await sandbox.visit(at('saml'))).status).toBe(403);
    expect((await sandbox.visit('/sandbox/clock')).body).toContain('You see <bdi>Acme Docs</bdi> as');
    await sandbox.submit(at('spaces'), 'see-as', { org });
    expect(links((await sandbox.visit(at('spaces'))).body)).toBe(links(all));
  });
});
