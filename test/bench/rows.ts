import type { Row } from './bench.js';
import { accessMemory } from './rows/access-memory.js';
import { accessRequests } from './rows/access-requests.js';
import { binary } from './rows/binary.js';
import { change } from './rows/change.js';
import { changeRequests } from './rows/change-requests.js';
import { copyFromBackup } from './rows/copy-from-backup.js';
import { deletionsAtOnce } from './rows/deletions.js';
import { get } from './rows/get.js';
import { listFormats } from './rows/list-formats.js';
import { listMemory } from './rows/list-memory.js';
import { listNdjson } from './rows/list-ndjson.js';
import { local } from './rows/local.js';
import { orgMembers } from './rows/org-members.js';
import { orgPlan } from './rows/org-plan.js';
import { orgRead } from './rows/org-read.js';
import { planApply } from './rows/plan-apply.js';
import { policyVerdict } from './rows/policy-verdict.js';
import { reports } from './rows/reports.js';
import { sandboxGet } from './rows/sandbox-get.js';
import { sandboxRequests } from './rows/sandbox-requests.js';
import { seedHuge } from './rows/seed-huge.js';

/** The rows of the table in their order, each by the name of its script. */
export const rows: Readonly<Record<string, Row>> = {
  local,
  binary,
  get,
  'list-ndjson': listNdjson,
  'list-memory': listMemory,
  'list-formats': listFormats,
  change,
  deletions: deletionsAtOnce,
  'org-read': orgRead,
  'plan-apply': planApply,
  'org-plan': orgPlan,
  'org-members': orgMembers,
  'access-requests': accessRequests,
  'access-memory': accessMemory,
  'change-requests': changeRequests,
  'policy-verdict': policyVerdict,
  reports,
  'sandbox-get': sandboxGet,
  'sandbox-requests': sandboxRequests,
  'seed-huge': seedHuge,
  'copy-from-backup': copyFromBackup,
};
