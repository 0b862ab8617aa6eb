import { runs } from '../../runs.js';
import { holdWalks } from './walk.js';

holdWalks(runs(10));
