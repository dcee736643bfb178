import type { Role } from '#client/ui/theme/roles.ts'
import type { DayLineProps } from './dayLineProps.ts'

/** One of the sums that lie on each other: its value on each day, in their order. */
export type DayLayer = { key: string; label: string; role: Role; values: number[] }

/** Something that happened on a day (`yyyy-MM-dd`), in one short word. */
export type DayMark = { day: string; label: string }

/** Sums of days by what they are made of; the parts are the days with their whole sums. */
export type DayStackProps = Omit<DayLineProps, 'limit'> & { layers: readonly DayLayer[]; marks: readonly DayMark[] }
