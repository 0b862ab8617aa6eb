import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Io } from '../../src/base/io.js';
import { systemKeychain } from '../../src/settings/keychain.js';
import { failureOf, freshWorld } from './world.js';

/** Waits for as long as the process takes, which a real clock does not tell. */
const patient: Io['sleep'] = (_ms, signal) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
    if (signal?.aborted) reject(signal.reason);
  });

/** A module in the place of the system's: entries in a file, and whatever the test adds. */
function keychainModule(extra = '') {
  const world = freshWorld();
  const entries = join(world.home, 'entries.json');
  const path = join(world.home, 'module.cjs');
  writeFileSync(entries, '{}');
  writeFileSync(
    path,
    `const fs = require('node:fs');
     const file = ${JSON.stringify(entries)};
     const all = () => JSON.parse(fs.readFileSync(file, 'utf8'));
     const save = (entries) => {
       fs.writeFileSync(file + '.new', JSON.stringify(entries));
       fs.renameSync(file + '.new', file);
     };
     class Entry {
       constructor(service, account) { this.key = service + ' ' + account; }
       getPassword() { return all()[this.key] ?? null; }
       setPassword(value) { save({ ...all(), [this.key]: value }); }
       deletePassword() { const e = all(); const had = this.key in e; delete e[this.key]; save(e); return had; }
     }
     module.exports = { Entry, findCredentials: () => [] };
     ${extra}`,
  );
  const open = (changes: Parameters<typeof world.with>[0] = {}) =>
    systemKeychain(world.with({ sleep: patient, ...changes }), path);
  return { open, entries: () => JSON.parse(readFileSync(entries, 'utf8')) };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a working keychain', () => {
  test('passes the probe, which leaves nothing behind', async () => {
    const { open, entries } = keychainModule();
    expect(await open().probe()).toBeUndefined();
    expect(entries()).toEqual({});
  });

  test('stores, returns and deletes tokens under the service docs', async () => {
    const { open, entries } = keychainModule();
    const keychain = open();
    const token = 'sécret-"\\-\u00ff';
    await keychain.set('work@https://docs.example', token);
    expect(entries()).toEqual({ 'docs work@https://docs.example': token });
    expect(await keychain.get('work@https://docs.example')).toBe(token);
    expect(await keychain.get('other@https://docs.example')).toBeUndefined();
    expect(await keychain.delete('work@https://docs.example')).toBe(true);
    expect(await keychain.delete('work@https://docs.example')).toBe(false);
  });

  test('treats the "no entry" error of some systems as a missing entry', async () => {
    const { open } = keychainModule(`
      const none = () => { throw new Error('No matching entry found in secure storage'); };
      Entry.prototype.getPassword = none;
      Entry.prototype.deletePassword = none;`);
    expect(await open().get('work@x')).toBeUndefined();
    expect(await open().delete('work@x')).toBe(false);
  });

  test('the token is in neither arguments nor environment of the child process', async () => {
    const { open, entries } = keychainModule(`
      Entry.prototype.setPassword = (value) =>
        save({ seen: JSON.stringify([process.argv, process.execArgv, process.env]).includes(value) });`);
    const env = { DOCS_TOKEN: 'secret-7', NODE_OPTIONS: '--no-such-option' };
    await open({ env }).set('work@x', 'secret-7');
    expect(entries()).toEqual({ seen: false });
  });
});

describe('an unavailable keychain', () => {
  test.each([
    ["Entry.prototype.setPassword = () => { throw new Error('it is locked.\\nStack: …'); };", 'it is locked'],
    ['Entry.prototype.getPassword = () => null;', 'a test entry could not be read back'],
    ['Entry.prototype.setPassword = () => process.exit(3);', 'its helper process ended without an answer'],
    ["throw new Error('Cannot find native binding');", 'Cannot find native binding'],
  ])('%s: the probe returns the reason', async (extra, problem) => {
    const { open } = keychainModule(extra);
    expect(await open().probe()).toBe(problem);
  });

  test('kills a hanging keychain at the timeout of probe and access', async () => {
    const { open, entries } = keychainModule(`
      const hang = () => {
        save({ pid: process.pid });
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      };
      Entry.prototype.setPassword = hang;
      Entry.prototype.getPassword = hang;`);
    // The time is up as soon as it hangs.
    const hangs = (known?: number) => () => until(() => entries().pid !== known);
    expect(await open({ sleep: hangs() }).probe()).toBe('it did not respond in time; it may be locked');
    const first: number = entries().pid;
    await until(() => !isAlive(first));
    expect(await failureOf(() => open({ sleep: hangs(first) }).get('work@x'))).toMatchObject({
      exitCode: 13,
      code: 'keychain_unavailable',
      message: 'the system keychain is unavailable: it did not respond in time; it may be locked',
    });
    await until(() => !isAlive(entries().pid));
  });

  test('stops waiting when the run is aborted', async () => {
    const { open } = keychainModule('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);');
    const reason = new Error('interrupted');
    await expect(open({ signal: AbortSignal.abort(reason) }).get('work@x')).rejects.toBe(reason);
  });

  test('a missing module', async () => {
    const { with: change } = freshWorld();
    const io = change({ sleep: patient });
    const keychain = systemKeychain(io, '/nonexistent/module.cjs');
    expect(await keychain.probe()).toMatch(/^Cannot find module/);
    expect(keychain.isMissing?.()).toBe(true);
  });
});

describe.runIf(process.platform === 'linux')('on Linux', () => {
  test("ignores the kernel's keyring, which is lost at a reboot", async () => {
    const { open, entries } = keychainModule(
      "module.exports.findCredentials = () => { throw new Error('no secret service provider or dbus session found'); };",
    );
    const keychain = open();
    expect(await keychain.probe()).toBe('no secret service provider or dbus session found');
    expect(keychain.isMissing?.()).toBe(false);
    expect(await failureOf(() => open().set('work@x', 't'))).toMatchObject({ code: 'keychain_unavailable' });
    expect(entries()).toEqual({});
  });

  test('the real module finds no service without a bus', async () => {
    const { with: change } = freshWorld();
    const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' };
    expect(await systemKeychain(change({ sleep: patient, env })).probe()).toEqual(expect.any(String));
  });
});
