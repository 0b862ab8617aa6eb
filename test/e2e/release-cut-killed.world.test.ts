import { killedAtEach } from './release-cut-killed.js';

// Every other request never reaches the platform, and of the others nobody hears. Of a site without sections the
// first, a single duplication, and the fifth, the move of its space, are all that a site with sections does not have.
killedAtEach((at, hasSections) => {
  if (!hasSections && at !== 1 && at !== 5) return [];
  return [at % 2 === 0 ? 'lost before' : 'lost after'];
});
