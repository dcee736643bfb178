import type { Role } from '#client/ui/theme/roles.ts'
import type { DayLineProps } from './dayLineProps.ts'

/** One layer of the stack, with a value for each day, in order of the days. */
export type DayLayer = { key: string; label: string; role: Role; values: number[] }

/** An event on a day (`yyyy-MM-dd`), in one short word. */
export type DayMark = { day: string; label: string }

/** Stacked values by day. The parts are the days with their totals. */
export type DayStackProps = DayLineProps & { layers: readonly DayLayer[]; marks: readonly DayMark[] }
