/** Values of the environment in plans: references with a salted fingerprint, never the value. */
export {
  type Environment,
  environmentIssues,
  fingerprintOf,
  fromEnvironment,
  isFromEnvironment,
  referencesIn,
} from '../jobs/environment.js';
