import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { removeProfile } from '../../src/commands/auth.js';
import { findCredential } from '../../src/settings/credentials.js';
import { readSettings } from '../../src/settings/settings.js';
import { removeCredential, storeCredential } from '../../src/settings/store-credential.js';
import { failureOf, fakeKeychain, freshWorld } from './world.js';

const work = { profile: 'work', baseUrl: 'https://docs.example/api', token: 'secret-1' };
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

describe('storing a token with a working keychain', () => {
  test('the keychain contains the token; the settings file only names the store', async () => {
    const { io, configFile, credentialsFile } = freshWorld();
    const keychain = fakeKeychain();
    expect(await storeCredential(io, work, keychain)).toEqual({
      store: 'keychain',
      where: 'work@https://docs.example',
    });
    expect([...keychain.entries]).toEqual([['work@https://docs.example', 'secret-1']]);
    expect(json(configFile)).toEqual({
      version: 1,
      profile: 'work',
      profiles: {
        work: {
          baseUrl: 'https://docs.example/api',
          credential: { store: 'keychain', origin: 'https://docs.example' },
        },
      },
    });
    expect(existsSync(credentialsFile)).toBe(false);
  });

  test('finds the token without a probe, with its origin', async () => {
    const { io } = freshWorld();
    const keychain = fakeKeychain();
    await storeCredential(io, work, keychain);
    keychain.calls.length = 0;
    expect(await findCredential(io, readSettings(io, {}), keychain)).toEqual({
      token: 'secret-1',
      origin: 'https://docs.example',
      source: 'keychain',
      where: 'work@https://docs.example',
    });
    expect(keychain.calls).toEqual(['get work@https://docs.example']);
  });

  test('a new token for another origin replaces the old one in either store', async () => {
    const { io } = freshWorld();
    const keychain = fakeKeychain();
    await storeCredential(io, work, keychain);
    await storeCredential(io, { ...work, baseUrl: 'https://new.example:8443', token: 'secret-2' }, keychain);
    expect([...keychain.entries]).toEqual([['work@https://new.example:8443', 'secret-2']]);
  });
});

describe('storing a token without a keychain', () => {
  test('writes a file (0600) in a folder (0700) and says why', async () => {
    const { io, configDir, configFile, credentialsFile } = freshWorld();
    expect(await storeCredential(io, work, fakeKeychain('no bus'))).toEqual({
      store: 'file',
      where: credentialsFile,
      note: `The system keychain is unavailable (no bus), so the token is stored in ${credentialsFile}, which only you can read.`,
    });
    expect(json(credentialsFile)).toEqual({
      version: 1,
      tokens: { 'work@https://docs.example': 'secret-1' },
    });
    expect(statSync(credentialsFile).mode & 0o777).toBe(0o600);
    expect(statSync(configDir).mode & 0o777).toBe(0o700);
    expect(readFileSync(configFile, 'utf8')).not.toContain('secret-1');
    expect(await findCredential(io, readSettings(io, {}), fakeKeychain('no bus'))).toEqual({
      token: 'secret-1',
      origin: 'https://docs.example',
      source: 'file',
      where: credentialsFile,
    });
  });

  test('uses the file if the keychain passes the probe and then fails', async () => {
    const { io, credentialsFile } = freshWorld();
    const { unavailable } = await import('../../src/settings/keychain.js');
    const keychain = { ...fakeKeychain(), set: () => Promise.reject(unavailable('it is locked')) };
    expect(await storeCredential(io, work, keychain)).toMatchObject({
      store: 'file',
      where: credentialsFile,
    });
  });

  test('keeps the tokens of other profiles', async () => {
    const { io, credentialsFile } = freshWorld();
    const none = fakeKeychain('none');
    await storeCredential(io, work, none);
    await storeCredential(io, { ...work, profile: 'work2', token: 'secret-2' }, none);
    await storeCredential(io, { ...work, baseUrl: 'https://b.example', token: 'secret-3' }, none);
    expect(json(credentialsFile).tokens).toEqual({
      'work2@https://docs.example': 'secret-2',
      'work@https://b.example': 'secret-3',
    });
  });
});

describe('DOCS_CREDENTIAL_STORE', () => {
  test('file: never uses the keychain, neither to store nor to find', async () => {
    const { with: change, credentialsFile } = freshWorld();
    const io = change({ env: { DOCS_CREDENTIAL_STORE: 'file' } });
    const keychain = fakeKeychain();
    expect(await storeCredential(io, work, keychain)).toEqual({ store: 'file', where: credentialsFile });
    expect(keychain.calls).toEqual([]);
    await storeCredential(change({}), work, keychain);
    keychain.calls.length = 0;
    expect(await findCredential(io, readSettings(io, {}), keychain)).toBeUndefined();
    expect(keychain.calls).toEqual([]);
  });

  test('keychain: fails if it passes the probe and then fails', async () => {
    const { unavailable } = await import('../../src/settings/keychain.js');
    const io = freshWorld().with({ env: { DOCS_CREDENTIAL_STORE: 'keychain' } });
    const keychain = { ...fakeKeychain(), set: () => Promise.reject(unavailable('it is locked')) };
    const failure = await failureOf(() => storeCredential(io, work, keychain));
    expect(failure).toMatchObject({ code: 'keychain_unavailable' });
  });

  test('keychain: fails if it is unavailable, and stores nothing', async () => {
    const { with: change, configDir } = freshWorld();
    const io = change({ env: { DOCS_CREDENTIAL_STORE: 'keychain' } });
    expect(await failureOf(() => storeCredential(io, work, fakeKeychain('no bus')))).toMatchObject({
      exitCode: 13,
      code: 'keychain_unavailable',
      message: 'the system keychain is unavailable: no bus',
      hint: 'DOCS_CREDENTIAL_STORE=file docs auth login',
    });
    expect(existsSync(configDir)).toBe(false);
  });

  test('moving from file to keychain and back leaves no second copy', async () => {
    const { with: change, credentialsFile } = freshWorld();
    const keychain = fakeKeychain();
    const toFile = change({ env: { DOCS_CREDENTIAL_STORE: 'file' } });
    await storeCredential(toFile, work, keychain);
    await storeCredential(change({}), work, keychain);
    expect(json(credentialsFile).tokens).toEqual({});
    await storeCredential(toFile, work, keychain);
    expect([...keychain.entries]).toEqual([]);
  });

  test('any other value is a configuration error', async () => {
    const { with: change } = freshWorld();
    const io = change({ env: { DOCS_CREDENTIAL_STORE: 'cloud' } });
    expect(await failureOf(() => storeCredential(io, work, fakeKeychain()))).toMatchObject({
      exitCode: 14,
      message: 'DOCS_CREDENTIAL_STORE: "cloud" is not keychain or file',
    });
  });
});

describe('invalid input', () => {
  test.each([
    [{ token: 'a b' }, 4, 'malformed_token'],
    [{ profile: 'a@b' }, 2, 'invalid_profile'],
    [{ baseUrl: 'http://docs.example' }, 14, 'insecure_url'],
  ])('%o', async (change, exitCode, code) => {
    const { io, configDir } = freshWorld();
    const keychain = fakeKeychain();
    const failure = await failureOf(() => storeCredential(io, { ...work, ...change }, keychain));
    expect(failure).toMatchObject({ exitCode, code });
    expect(JSON.stringify(failure)).not.toContain('a b');
    expect(keychain.calls).toEqual([]);
    expect(existsSync(configDir)).toBe(false);
  });

  test('stores nothing in the keychain if the settings file is corrupt', async () => {
    const { io, write, configFile } = freshWorld();
    write(configFile, '{');
    const keychain = fakeKeychain();
    expect(await failureOf(() => storeCredential(io, work, keychain))).toMatchObject({
      code: 'corrupt_settings',
    });
    expect(keychain.calls).toEqual([]);
  });
});

describe('an unusable credentials file', () => {
  test('corrupt: exit 14; it stays unchanged, and the message does not quote it', async () => {
    const { io, write, credentialsFile } = freshWorld();
    await storeCredential(io, work, fakeKeychain('none'));
    const broken = '{"tokens":{"work@https://docs.example":"secret-1" x';
    write(credentialsFile, broken);
    const failure = {
      exitCode: 14,
      code: 'corrupt_credentials',
      hint: `mv ${credentialsFile} ${credentialsFile}.broken`,
    };
    const found = await failureOf(() => findCredential(io, readSettings(io, {})));
    expect(found).toMatchObject(failure);
    expect(JSON.stringify(found)).not.toContain('secret-1');
    expect(await failureOf(() => storeCredential(io, work, fakeKeychain('none')))).toMatchObject(failure);
    expect(readFileSync(credentialsFile, 'utf8')).toBe(broken);
  });

  test('checks a token that was written by hand', async () => {
    const { io, write, credentialsFile } = freshWorld();
    await storeCredential(io, work, fakeKeychain('none'));
    write(credentialsFile, { tokens: { 'work@https://docs.example': 'sec\nret' } });
    const failure = await failureOf(() => findCredential(io, readSettings(io, {})));
    expect(failure).toMatchObject({ exitCode: 4, code: 'malformed_token' });
  });

  test('restricts the permissions if other users can read it', async () => {
    const { io, credentialsFile } = freshWorld();
    await storeCredential(io, work, fakeKeychain('none'));
    chmodSync(credentialsFile, 0o666);
    expect(readSettings(io, {}).warnings).toEqual([
      `Other users could read ${credentialsFile}; now only you can.`,
    ]);
    expect(statSync(credentialsFile).mode & 0o777).toBe(0o600);
  });
});

describe('removing a token', () => {
  test.each([undefined, 'none'])(
    'takes token and memory of it away; the profile stays (keychain: %s)',
    async (problem) => {
      const { io, configFile, credentialsFile } = freshWorld();
      const keychain = fakeKeychain(problem);
      await storeCredential(io, work, keychain);
      expect(await removeCredential(io, 'work', keychain)).toBe(true);
      expect(json(configFile).profiles).toEqual({ work: { baseUrl: 'https://docs.example/api' } });
      expect([...keychain.entries]).toEqual([]);
      if (existsSync(credentialsFile)) expect(json(credentialsFile).tokens).toEqual({});
      expect(await findCredential(io, readSettings(io, {}), keychain)).toBeUndefined();
      expect(await removeCredential(io, 'work', keychain)).toBe(false);
    },
  );

  test('a failing keychain: exit 13, and the token stays', async () => {
    const { io, configFile } = freshWorld();
    const { unavailable } = await import('../../src/settings/keychain.js');
    const keychain = fakeKeychain();
    await storeCredential(io, work, keychain);
    const before = json(configFile);
    const failing = { ...keychain, delete: () => Promise.reject(unavailable('it is locked')) };
    expect(await failureOf(() => removeCredential(io, 'work', failing))).toMatchObject({ exitCode: 13 });
    expect(json(configFile)).toEqual(before);
  });

  test('removing a profile removes its token', async () => {
    const { io, configFile } = freshWorld();
    const keychain = fakeKeychain();
    await storeCredential(io, work, keychain);
    await removeProfile(io, 'work', keychain);
    expect(json(configFile)).toEqual({ version: 1, profiles: {} });
    expect([...keychain.entries]).toEqual([]);
  });
});

describe('where no part for the keychain loads', () => {
  const missing = () => ({
    ...fakeKeychain(),
    probe: async () => 'Cannot find module',
    isMissing: () => true,
  });

  test('a file is asked about, and nothing is stored without it', async () => {
    const { io, credentialsFile, configFile } = freshWorld();
    const asked: string[] = [];
    const refusesFile = async (problem: string) => asked.push(problem) > 0;
    const failure = await failureOf(() => storeCredential(io, { ...work, refusesFile }, missing()));
    expect(failure).toMatchObject({ code: 'keychain_unavailable', outcome: 'not-sent' });
    expect(asked).toEqual(['Cannot find module']);
    expect([existsSync(credentialsFile), existsSync(configFile)]).toEqual([false, false]);
  });

  test('a file that is wanted gets the token, and why is told', async () => {
    const { io } = freshWorld();
    const stored = await storeCredential(io, { ...work, refusesFile: async () => false }, missing());
    expect(stored).toMatchObject({ store: 'file', note: expect.stringContaining('Cannot find module') });
  });
});
