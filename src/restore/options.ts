import type { Client } from '../api/client.js';
import type { Live } from '../organization/model.js';
import type { PlanOptions } from '../organization/planner/world.js';
import type { SpaceEntry } from '../workflows/backup/folder/manifest.js';
import type { BackupReader } from '../workflows/backup/reader.js';
import type { ComparingAccess } from './access.js';
import type { Part } from './parts.js';

export interface RestoreOptions {
  reader: BackupReader;
  client: Client;
  /** What the backup shows, and what the platform shows. */
  saved: Live;
  live: Live;
  /** The collections whose order of spaces the backup has. */
  ordered: ReadonlySet<string>;
  parts: ReadonlySet<Part>;
  /** The spaces that were named; undefined for all. */
  only: ReadonlySet<string> | undefined;
  importBase: string | undefined;
  /** Undefined where access is not compared. */
  access: ComparingAccess | undefined;
  /** Whether a restore of a space from the trash was refused before. */
  wasRefused(id: string): boolean;
  /** Whether a restore on this machine made a site. */
  madeHere(siteId: string): boolean;
  planning: Pick<PlanOptions, 'self' | 'env'>;
  /** Commands that notes name. */
  commands: { again: string; pack(entry: SpaceEntry): string; space(entry: SpaceEntry): string };
}
