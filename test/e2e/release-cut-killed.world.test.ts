import { killedAtEach } from './release-cut-killed.js';

// Every other request never reaches the platform, and of the others nobody hears.
killedAtEach((at) => [at % 2 === 0 ? 'lost before' : 'lost after']);
