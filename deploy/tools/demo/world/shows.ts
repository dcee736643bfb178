/** A production of the studio. Days count from the middle of the history; negative ones are before it. */
export type Show = {
  name: string
  title: string
  /** Day of the first files, and of the last ones. */
  firstDay: number
  lastDay: number
  shots: number
  /** Day on which it moved from the productions to the archive, if it did. */
  archivedDay?: number
}

/** First day of the history, and the demo's today. */
export const [firstDay, today] = [-182, 182]

export const shows: readonly Show[] = [
  { name: 'aurora_falls', title: 'Aurora Falls', firstDay: -260, lastDay: 20, shots: 18, archivedDay: 70 },
  { name: 'copper_canyon', title: 'Copper Canyon', firstDay: -210, lastDay: 60, shots: 22, archivedDay: 163 },
  { name: 'harbor_lights', title: 'Harbor Lights', firstDay: -120, lastDay: 150, shots: 24 },
  { name: 'midnight_express', title: 'Midnight Express', firstDay: -40, lastDay: 240, shots: 26 },
  { name: 'paper_moons', title: 'Paper Moons', firstDay: 15, lastDay: 240, shots: 20 },
  { name: 'red_mesa', title: 'Red Mesa', firstDay: 60, lastDay: 240, shots: 24 },
  { name: 'snow_line', title: 'Snow Line', firstDay: 110, lastDay: 240, shots: 16 },
]

/** Finished work that is opened again on a day, such as for a trailer: one in `every` of the files of a show. */
export const revisits: readonly { show: string; day: number; every: number }[] = [
  { show: 'copper_canyon', day: 21, every: 7 },
  { show: 'aurora_falls', day: 60, every: 9 },
  { show: 'harbor_lights', day: 118, every: 8 },
  { show: 'copper_canyon', day: 150, every: 13 },
]

/** Shows that ended years ago and only exist in the archive. */
export const olderShows = ['blue_hour', 'long_road', 'silver_coast', 'the_ferryman', 'winter_garden'] as const

export const artists = [
  'amelia.park',
  'ben.ortiz',
  'chloe.nguyen',
  'daniel.weiss',
  'emma.rossi',
  'farid.haddad',
  'grace.kim',
  'henry.cole',
  'isabel.moreno',
  'jack.lindqvist',
] as const
