import { isLoopback } from '../../api/transport/base-url.js';
import type { Session } from '../../cli/declare/session.js';

/** The platform of a session as backups name it; every sandbox on this machine is one, whatever its port. */
export function platformOf({ settings }: Session): string {
  const address = settings.baseUrl?.value;
  if (settings.sandbox || address === undefined) return 'sandbox';
  const url = new URL(address);
  return isLoopback(url.hostname) ? 'sandbox' : url.origin;
}
