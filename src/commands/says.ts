import type { Says } from '../cli/declare/command.js';

/** Sentences that several groups share. */

/** The organization that the answer names, else the one that was sent. */
export const saysTransfer: Says = ({ sentence, named, textOf, sent }) =>
  `${sentence} to ${named('organization', textOf('organization') ?? sent('organization'))}`;
