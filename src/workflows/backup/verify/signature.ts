import { fingerprintOf } from '../../../signing/keys.js';
import type { Folder } from '../folder/folder.js';
import { manifestName } from '../folder/manifest.js';
import type { VerifyFinding } from '../report.js';
import { type AllowedSigner, principalsOf } from '../signature/allowed-signers.js';
import { signatureName, signedBy } from '../signature/signed-manifest.js';

export interface Signers {
  /** Who may have signed; undefined if anyone may, or no one. */
  allowed: readonly AllowedSigner[] | undefined;
  nowMs: number;
  /** Receives who signed. */
  by?: string;
}

/** What is wrong with the signature of the manifest at the top. @param text the manifest, as it was read */
export async function* verifySignature(
  folder: Folder,
  text: string,
  signers: Signers,
): AsyncGenerator<VerifyFinding> {
  const signed = await signedBy(folder, text);
  const { allowed, nowMs } = signers;
  if (signed === 'changed') {
    const detail = 'not the manifest that was signed';
    return yield { state: 'changed', kind: 'signature', path: manifestName, detail };
  }
  if (allowed === undefined) return;
  if (signed === undefined) {
    const detail = `${signatureName} not found`;
    return yield { state: 'unsigned', kind: 'signature', path: manifestName, detail };
  }
  const key = fingerprintOf(signed.by);
  const principals = principalsOf(allowed, signed.by, nowMs);
  if (principals !== undefined) signers.by = `${principals} (${key})`;
  else yield { state: 'wrong-signer', kind: 'signature', path: signatureName, detail: `signed by ${key}` };
}
