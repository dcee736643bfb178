import type { Tools } from '../kit/tool.ts'

/** Kinds of hostile runs by name. */
export const hostileRuns: Tools = {
  fuzz: () => import('./fuzz/fuzz.ts'),
  chaos: () => import('./chaos.ts'),
  soak: () => import('./soak.ts'),
  upgrade: () => import('./upgrade.ts'),
}
