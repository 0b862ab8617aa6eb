import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as tls from 'node:tls';
import { DocsError } from '../../base/errors.js';

/**
 * The certificates to trust with `--ca-file`: Node's own, those of `NODE_EXTRA_CA_CERTS` and of the file.
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

/** What Node trusts by default; newer versions include the system's certificates if configured. */
function usualCertificates(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] };
  return getCACertificates?.('default') ?? tls.rootCertificates;
}

/** The certificates in a file. Each is parsed, because TLS would silently ignore an invalid one. */
async function readCertificates(path: string): Promise<string[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw invalid(path, 'cannot be read', cause);
  }
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw invalid(path, 'contains no PEM certificate');
  for (const block of blocks) {
    try {
      new X509Certificate(block);
    } catch (cause) {
      throw invalid(path, 'contains an invalid certificate', cause);
    }
  }
  return blocks;
}

function invalid(path: string, what: string, cause?: unknown): DocsError {
  const facts = { outcome: 'not-sent', hint: 'docs doctor', cause } as const;
  return new DocsError('configuration', 'invalid_ca_file', `the certificate file ${path} ${what}`, facts);
}
