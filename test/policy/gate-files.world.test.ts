import { holdFiles } from './gate-files.js';

// The first flag with all, the others with two of them: which file is whose does not depend on the command.
await holdFiles((owned, at) => owned.filter((_, index) => at === 0 || (index + at) % owned.length < 2));
