import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { operations } from '../../../src/api/resources/index.js';
import { openSandbox } from '../client.js';

/** The sandbox says what it is, in a document that a standard validator accepts. */

test('GET /openapi.json is valid OpenAPI 3.1 and has all operations', async () => {
  const sandbox = await openSandbox();
  try {
    const response = await fetch(`${sandbox.url}/openapi.json`);
    expect(response.status).toBe(200);
    const document = (await response.json()) as {
      openapi: string;
      paths: Record<string, Record<string, unknown>>;
    };
    const outcome = await new Validator().validate(structuredClone(document));
    expect(outcome).toEqual({ valid: true });
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).sort());
  } finally {
    await sandbox.close();
  }
});

test('a recursive schema is defined once and referenced', async () => {
  const sandbox = await openSandbox();
  try {
    const text = await (await fetch(`${sandbox.url}/openapi.json`)).text();
    expect(text).not.toContain('"$id"');
    const { components } = JSON.parse(text) as { components: { schemas: Record<string, unknown> } };
    expect(Object.keys(components.schemas)).toEqual(['ContentPage']);
    expect(JSON.stringify(components.schemas.ContentPage)).toContain(
      '"$ref":"#/components/schemas/ContentPage"',
    );
  } finally {
    await sandbox.close();
  }
});
