import { holdFormerPages } from './former-pages.js';

holdFormerPages(1);
