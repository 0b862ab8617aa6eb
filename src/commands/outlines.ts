import { outlines, records } from '../cli/declare/make-outlines.js';
import { changeRecordOf } from '../cli/run/change-record.js';
import { outlineReading } from '../organization/live/first-requests.js';
import { outlineSpaces } from '../snapshot/first-requests.js';
import { groups } from './index.js';

/** The outlines of all groups, by name; the build writes them beside the program. */
export const allOutlines = () => outlines(groups, (command) => changeRecordOf(command) !== undefined);

/** The records of reads and changes, by the words of their commands, and of what `docs plan` and `--all-spaces` begin with. */
export const allRecords = async () =>
  new Map<string, object>([
    ...(await records(groups, changeRecordOf)),
    ['plan', await outlineReading()],
    ['all-spaces', await outlineSpaces()],
  ]);

export { recordFile } from '../cli/declare/read-record.js';

/** The routes of the sandbox, in a file of their own. */
export { allRoutes } from '../sandbox/handlers/all-routes.js';
export { routesFile } from '../sandbox/handlers/routes.js';
