import { Type } from '../api/type.js';
export const PlanFile = Type.Object({});
export const planSchema = (): object => ({});
