import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Folder } from '../../src/backup/folder.js';
import { type Manifest, manifestText, writeSigned } from '../../src/backup/manifest.js';
import { checkParts, type PartRecord } from '../../src/backup/parts.js';
import { trustIn } from '../../src/backup/trust.js';
import { fingerprintOf, privateKeyOf } from '../../src/signing/keys.js';
import type { Signer } from '../../src/signing/signer.js';
import { namespaces, signWith } from '../../src/signing/ssh-signature.js';

/** What a run reuses of the one before, and which files a merge takes. */

let path: string;
let folder: Folder;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'docs-trust-'));
  folder = new Folder(path);
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

const text = '{"title":"Acme"}';
const manifest: Manifest = {
  ...{ state: 'whole', platform: 'https://docs.example', organization: { id: 'o1', title: 'Acme' } },
  ...{ runs: 0, startedAt: '2026-11-23T04:00:00Z', counts: {}, failed: [], spaces: [] },
  files: [
    {
      ...{ path: 'org.json', kind: 'organization', bytes: text.length },
      sha256: createHash('sha256').update(text).digest('hex'),
    },
  ],
};

function signer(): Signer {
  const own = privateKeyOf(generateKeyPairSync('ed25519').privateKey);
  if (own === undefined) throw new Error('not a supported key');
  const { blob: publicKey } = own.publicKey;
  const sign = async (message: Uint8Array) => signWith(own, namespaces.backup, message);
  return { publicKey, fingerprint: fingerprintOf(publicKey), needsTouch: false, sign };
}

describe('a run that signs', () => {
  const [mine, other] = [signer(), signer()];
  const last = { manifest, text: manifestText(manifest) };

  it('reuses what the same key signed, and nothing of another key or of none', async () => {
    await writeSigned(folder, manifest, mine);
    expect(await trustIn(folder, last, mine)).toEqual({ previous: manifest });
    expect(await trustIn(folder, last, other)).toMatchObject({
      doubt: 'not-signed',
      previous: { files: [] },
    });
    await writeSigned(folder, manifest, undefined);
    expect(await trustIn(folder, last, mine)).toMatchObject({ doubt: 'not-signed' });
    expect(await trustIn(folder, last, undefined)).toEqual({ previous: manifest });
  });

  it('trusts no manifest but the one that was signed, and neither does a run that does not sign', async () => {
    await writeSigned(folder, manifest, mine);
    const changed = { manifest, text: `${last.text} ` };
    for (const by of [mine, undefined])
      expect(await trustIn(folder, changed, by)).toMatchObject({ doubt: 'changed', previous: { files: [] } });
  });
});

describe('a merge of parts', () => {
  const shard = { index: 1, of: 1 };
  const record: PartRecord = {
    ...{ format: 'docs-backup-part/1', command: 'backup run', shard, platform: manifest.platform },
    ...{ organization: 'o1', flags: { access: true }, startedAt: '', finishedAt: '', whole: true },
    ...{ found: [], manifest: '', sha256: '' },
  };
  const merge = () => checkParts([{ folder, manifest, shard, record }], async () => false, 'docs backup run');

  it('takes files that are what the manifest of the part says', async () => {
    writeFileSync(join(path, 'org.json'), text);
    await expect(merge()).resolves.toBeUndefined();
  });

  it.each(['{"title":"Evil"}', '', `${text} `])('refuses another one: %j', async (other) => {
    writeFileSync(join(path, 'org.json'), other);
    await expect(merge()).rejects.toMatchObject({ code: 'part_missing', exitCode: 3 });
  });
});
