/** Damage of a store in words: what it lost, and what helps. */
export type Damage = { place: string; reason: string; lost: string; remedy: string }

/** The result of reading all stores: throws an error that lists the damage, if there is any. */
export function resultOf(damages: readonly Damage[]): string {
  if (damages.length === 0) return 'All data can be read. Compare it with the event log, too: npm run replay -- --check'
  const lines = damages.map(({ place, reason, lost, remedy }) => `- ${place}: ${reason}\n  Lost: ${lost}. ${remedy}.`)
  const count = damages.length === 1 ? '1 place is damaged' : `${damages.length} places are damaged`
  throw new Error([`${count}:`, ...lines].join('\n'))
}
