import { killedAtEach } from './release-cut-killed.js';

killedAtEach(() => ['lost before', 'lost after']);
