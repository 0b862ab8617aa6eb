import { timestamp } from '../../api/shapes.js';
import { Type } from '../../api/type.js';
import { done, maybe, oneOf, text } from '../../output/printed-shapes.js';

/** What publishing a spec, or waiting for one, prints. */
export const specResult = (...statuses: string[]) =>
  done(oneOf(...statuses), {
    version: Type.Optional(Type.String({ description: 'Id of the version that it became, or is' })),
    previousVersion: Type.Optional(Type.String({ description: 'Id of the latest version before' })),
    processingState: text,
    lastProcessedAt: Type.Optional(timestamp),
    sourceURL: maybe,
  });
