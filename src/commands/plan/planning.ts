/** The planner and its parts, loaded while the platform answers. */
export { snapshotReads } from '../../organization/live/snapshot.js';
export { planOrganization } from '../../organization/planner/plan.js';
export { makePlan } from '../../plans/make.js';
