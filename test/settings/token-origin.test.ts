import { describe, expect, test } from 'vitest';
import { findCredential } from '../../src/settings/credentials.js';
import { readSettings } from '../../src/settings/settings.js';
import { storeCredential } from '../../src/settings/store-credential.js';
import { failureOf, fakeKeychain, freshWorld } from './world.js';

const work = { profile: 'work', baseUrl: 'https://docs.example/api', token: 'secret-1' };

describe('DOCS_TOKEN', () => {
  async function signedIn() {
    const world = freshWorld();
    await storeCredential(world.io, work, fakeKeychain('none'));
    const find = (env: Record<string, string>, flags = {}) => {
      const io = world.with({ env: { DOCS_TOKEN: 'from-env\n', ...env } });
      return findCredential(io, readSettings(io, flags), fakeKeychain());
    };
    return find;
  }

  test("overrides the stored token and belongs to the profile's base URL", async () => {
    const find = await signedIn();
    expect(await find({})).toEqual({
      token: 'from-env',
      origin: 'https://docs.example',
      source: 'DOCS_TOKEN',
      where: 'DOCS_TOKEN',
    });
  });

  test('belongs to DOCS_BASE_URL if it is set', async () => {
    const find = await signedIn();
    expect(await find({ DOCS_BASE_URL: 'https://env.example:444/v' })).toMatchObject({
      origin: 'https://env.example:444',
    });
  });

  test('never belongs to --base-url', async () => {
    const find = await signedIn();
    expect(await find({}, { baseUrl: 'https://evil.example' })).toMatchObject({
      origin: 'https://docs.example',
    });
    const { with: change } = freshWorld();
    const io = change({ env: { DOCS_TOKEN: 'from-env' } });
    const settings = readSettings(io, { baseUrl: 'https://evil.example' });
    expect(await failureOf(() => findCredential(io, settings))).toMatchObject({
      exitCode: 14,
      code: 'token_without_origin',
    });
  });

  test('an empty value counts as unset', async () => {
    const find = await signedIn();
    expect(await find({ DOCS_TOKEN: '' })).toMatchObject({ token: 'secret-1', source: 'file' });
  });

  test('an invalid header value: exit 4', async () => {
    const find = await signedIn();
    expect(await failureOf(() => find({ DOCS_TOKEN: 'a\nb' }))).toMatchObject({
      exitCode: 4,
      code: 'malformed_token',
      message: 'the token from DOCS_TOKEN contains a line break; nothing was sent',
    });
  });
});

describe('in the sandbox', () => {
  test("finds only a sandbox token, for the sandbox's origin", async () => {
    const { io, with: change } = freshWorld();
    await storeCredential(io, work, fakeKeychain('none'));
    const sandbox = { baseUrl: 'http://127.0.0.1:4000' };
    const find = (token: string) => {
      const inside = change({ env: { DOCS_TOKEN: token, DOCS_BASE_URL: 'https://docs.example' } });
      return findCredential(inside, readSettings(inside, {}, sandbox), fakeKeychain());
    };
    expect(await find('')).toBeUndefined();
    expect(await find('real')).toBeUndefined();
    expect(await find('sbx_read_1')).toEqual({
      token: 'sbx_read_1',
      origin: 'http://127.0.0.1:4000',
      source: 'DOCS_TOKEN',
      where: 'DOCS_TOKEN',
    });
  });
});
