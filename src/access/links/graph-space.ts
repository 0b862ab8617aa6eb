import type { Space } from '../../api/resources/spaces.js';
import { defined } from '../../base/values.js';
import type { FoundSpace } from './reference.js';

/** What is kept of a space to draw it. */
export interface GraphSpace extends FoundSpace {
  app?: string;
  /** Of its readers. */
  addresses?: readonly string[];
}

export function graphSpace({ id, title, urls }: Space): GraphSpace {
  const addresses = [urls?.published, urls?.public].filter((url) => url !== undefined);
  return defined({ id, title, app: urls?.app, addresses });
}
