import type { Signer } from '../../../signing/signer.js';
import { isSignatureOf, namespaces, parseSignature } from '../../../signing/ssh-signature.js';
import type { Written } from '../folder/digest.js';
import type { Folder } from '../folder/folder.js';
import { type Manifest, manifestName, manifestText } from '../folder/manifest.js';

/** The signature of the manifest at the top, which vouches for all others and so for every file. */

export const signatureName = `${manifestName}.sig`;

/**
 * Writes the manifest at the top, and its signature last: a run that is killed in between leaves a manifest
 * without a signature, never one with the signature of another.
 */
export async function writeSigned(
  folder: Folder,
  manifest: Manifest,
  signer: Signer | undefined,
): Promise<Written> {
  const text = manifestText(manifest);
  const signature = await signer?.sign(Buffer.from(text));
  await folder.remove(signatureName);
  const written = await folder.write(manifestName, text);
  if (signature !== undefined) await folder.write(signatureName, signature);
  return written;
}

/** `changed`: there is a signature, and it is not one of this manifest. */
export type Signed = { by: Buffer } | 'changed' | undefined;

/** Who signed a manifest. @param text the manifest, as it was read */
export async function signedBy(folder: Folder, text: string): Promise<Signed> {
  const own = await folder.text(signatureName);
  if (own === undefined) return undefined;
  const signature = parseSignature(own);
  if (signature === undefined || !isSignatureOf(signature, namespaces.backup, Buffer.from(text)))
    return 'changed';
  return { by: signature.publicKey };
}
