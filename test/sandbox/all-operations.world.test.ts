import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../src/api/resources/index.js';
import { openSandbox, type TestSandbox } from './client.js';

/** Every operation is answered by the sandbox: by a success or an honest refusal, never 501 or 500. */

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

describe('every operation', () => {
  it.each(operations.map((operation) => ({ name: `${operation.method} ${operation.path}`, operation })))(
    '$name',
    async ({ operation }) => {
      const { org = '', space = '', site = '' } = sandbox.defaults;
      const known: Record<string, string> = { organizationId: org, spaceId: space, siteId: site };
      const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? 'no-such-thing');
      const body = operation.body === undefined ? undefined : {};
      const response = await sandbox.as('admin').send(operation.method, path, { ...(body && { body }) });
      expect([200, 201, 204, 205, 400, 404, 409]).toContain(response.status);
      if (response.status >= 400) {
        const { error } = (await response.json()) as { error: { code: number; message: string } };
        expect(error).toEqual({ code: response.status, message: expect.stringMatching(/\w/) });
      } else await response.arrayBuffer();
    },
  );
});
