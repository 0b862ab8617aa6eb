import { describe, expect, test } from 'vitest';
import { createTrace } from '../../../src/api/transport/attempt.js';
import { Redaction } from '../../../src/api/transport/redaction.js';
import { scene } from './setup.js';

describe('debug output', () => {
  test('shows requests and responses, without the Authorization header', async () => {
    const { transport, server, lines } = await scene(
      [{ json: { id: 1 }, headers: { 'x-request-id': 'r1', 'set-cookie': 'session=abc' } }],
      { debug: false },
    );
    await transport.send({ method: 'POST', path: '/v1/spaces?shareKey=k', read: 'json', body: { a: 1 } });
    expect(lines).toEqual([
      `> POST ${server.url}/v1/spaces?shareKey=[redacted]`,
      '> accept: application/json',
      '> accept-encoding: identity',
      '> user-agent: docs/test',
      '> content-type: application/json',
      '< 200 after 0 ms, 8 bytes',
      '< content-type: application/json',
      '< x-request-id: r1',
      '< set-cookie: [redacted]',
      '< content-length: 8',
    ]);
  });

  test('with bodies hides the token wherever the platform repeats it', async () => {
    const { transport, lines } = await scene(
      [{ json: { echo: 'Bearer gb_secret_token', nested: { password: 'p' } } }, { status: 503 }, { json: 1 }],
      { debug: true },
    );
    await transport.send({
      method: 'PUT',
      path: '/v1/x',
      read: 'json',
      body: { clientSecret: 's', note: 'n' },
    });
    await transport.send({ method: 'GET', path: '/v1/x', read: 'json' });
    expect(lines).toContain('> {"clientSecret":"[redacted]","note":"n"}');
    expect(lines).toContain('< {"echo":"Bearer [redacted]","nested":{"password":"[redacted]"}}');
    expect(lines).toContain('* waiting 250 ms: server error (503)');
    expect(lines.join('\n')).not.toMatch(/gb_secret_token|authorization/);
  });

  test('omits the Authorization header, whoever set it', () => {
    const lines: string[] = [];
    const trace = createTrace({ body: true, write: (line) => lines.push(line) }, new Redaction([]));
    const headers = { authorization: 'Bearer x', accept: '*/*' };
    trace.request('https://a.test', { method: 'GET', path: '/', headers, body: null });
    expect(lines).toEqual(['> GET https://a.test/', '> accept: */*']);
  });

  test('shows failures', async () => {
    const { transport, lines } = await scene([{ reset: 'after-reading' }], { debug: true, maxAttempts: 1 });
    await transport.send({ method: 'GET', path: '/v1/x', read: 'json' }).catch(() => {});
    expect(lines.at(-1)).toMatch(/^< no answer after 0 ms: ECONNRESET /);
  });

  test('shortens long bodies and omits binary ones', () => {
    const lines: string[] = [];
    const trace = createTrace({ body: true, write: (line) => lines.push(line) }, new Redaction([]));
    const received = (type: string, body: Buffer) => {
      trace.received({ head: { status: 200, headers: { 'content-type': type } }, body, end: 'whole' }, 1);
      return lines.pop();
    };
    expect(received('text/plain', Buffer.from('x'.repeat(20_000)))).toMatch(
      /^< x{16384}… \(3616 characters more\)$/,
    );
    expect(received('image/png', Buffer.from('abc'))).toBe('< (3 bytes of image/png)');
  });
});
