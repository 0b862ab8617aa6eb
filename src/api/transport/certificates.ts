import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as tls from 'node:tls';
import { DocsError } from '../../errors.js';

/**
 * The certificates to trust when a file of more is named: the usual ones, those of
 * `NODE_EXTRA_CA_CERTS`, and the file's. Without a file, Node's own rules hold, which know that
 * variable too.
 * @param caFile a PEM file
 * @throws DocsError configuration `invalid_ca_file`
 */
export async function trustWith(
  caFile: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<tls.SecureContext> {
  const extra = environment.NODE_EXTRA_CA_CERTS;
  const files = await Promise.all([caFile, ...(extra ? [extra] : [])].map(readCertificates));
  return tls.createSecureContext({ ca: [...usualCertificates(), ...files.flat()] });
}

/** What Node trusts by itself; newer versions tell, with the system's certificates where set so. */
function usualCertificates(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };
  return getCACertificates?.('default') ?? tls.rootCertificates;
}

/** The certificates of a file. Each is looked at, as TLS would pass over a broken one in silence. */
async function readCertificates(path: string): Promise<string[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw invalid(path, 'cannot be read', cause);
  }
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw invalid(path, 'holds no certificate in PEM form');
  for (const block of blocks) {
    try {
      new X509Certificate(block);
    } catch (cause) {
      throw invalid(path, 'holds a certificate that cannot be read', cause);
    }
  }
  return blocks;
}

function invalid(path: string, what: string, cause?: unknown): DocsError {
  return new DocsError('configuration', 'invalid_ca_file', `The certificate file ${path} ${what}.`, {
    outcome: 'not-sent',
    hint: 'docs doctor',
    ...(cause !== undefined && { cause }),
  });
}
