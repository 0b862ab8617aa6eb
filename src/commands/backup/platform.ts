import { isLoopback } from '../../api/transport/address.js';
import type { Session } from '../../cli/declare/session.js';

/** The platform of a session as manifests name it; all sandboxes on this machine have one name, whatever their port. */
export function platformOf({ settings }: Session): string {
  const address = settings.baseUrl?.value;
  if (settings.sandbox || address === undefined) return 'sandbox';
  const url = new URL(address);
  return isLoopback(url.hostname) ? 'sandbox' : url.origin;
}
