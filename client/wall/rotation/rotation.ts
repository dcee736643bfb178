import type { BoardName } from '#client/wall/wallAddress.ts'

/** How long the board of an alarm is framed, in milliseconds. */
export const frameMs = 20_000

/**
 * Which board is shown. `turn` counts what was shown, so that each turn is another one; `every` and `since` are in
 * milliseconds. An alarm brings its board forward for one turn; after it the rotation goes on with the board it came before.
 */
export type Rotation = {
  readonly boards: readonly BoardName[]
  readonly every: number
  readonly shown: BoardName
  readonly turn: number
  readonly since: number
  /** The place in the rotation, also while an alarm's board is shown. */
  readonly place: number
  readonly isHeld: boolean
  readonly isFramed: boolean
  readonly isAlarm: boolean
  /** Boards of alarms that wait for their turn. */
  readonly alarms: readonly BoardName[]
}

export function beginRotation(boards: readonly BoardName[], every: number, now: number): Rotation {
  const shown = boards[0] ?? 'capacity'
  const still = { isHeld: false, isFramed: false, isAlarm: false, alarms: [] }
  return { boards, every, shown, turn: 0, since: now, place: 0, ...still }
}

/** What is shown by now; the same rotation when nothing is due. */
export function advance(rotation: Rotation, now: number): Rotation {
  const { since, every, isHeld, isFramed } = rotation
  if (!isHeld && now - since >= every) return next(rotation, now)
  return isFramed && now - since >= frameMs ? { ...rotation, isFramed: false } : rotation
}

function next(rotation: Rotation, now: number): Rotation {
  const [alarm, ...alarms] = rotation.alarms
  if (alarm) return show({ ...rotation, alarms }, alarm, now, true)
  return rotation.isAlarm ? stepTo(rotation, rotation.place, now) : stepTo(rotation, rotation.place + 1, now)
}

/** Goes so many boards on or back, by hand. */
export const step = (rotation: Rotation, by: number, now: number): Rotation =>
  stepTo(rotation, rotation.place + by, now)

function stepTo(rotation: Rotation, to: number, now: number): Rotation {
  const { length } = rotation.boards
  const place = ((to % length) + length) % length
  return show({ ...rotation, place }, rotation.boards[place] ?? rotation.shown, now, false)
}

const show = (rotation: Rotation, shown: BoardName, now: number, isAlarm: boolean): Rotation => ({
  ...rotation,
  shown,
  turn: rotation.turn + 1,
  since: now,
  isAlarm,
  isFramed: isAlarm,
})

/** Stays with the board that is shown, or goes on: with a whole turn of it, or with the alarm that waited. */
export function hold(rotation: Rotation, now: number): Rotation {
  const { isHeld, alarms } = rotation
  if (!isHeld) return { ...rotation, isHeld: true }
  const released = { ...rotation, isHeld: false }
  return alarms.length > 0 ? next(released, now) : { ...released, turn: rotation.turn + 1, since: now }
}

/**
 * Something happened that a board tells of: it comes forward at once, framed, unless another alarm has its turn or somebody
 * holds the wall; then it waits. A board that is shown already gets a turn from now on; one that was not chosen stays away.
 */
export function raise(rotation: Rotation, board: BoardName, now: number): Rotation {
  const { boards, shown, isAlarm, isFramed, isHeld, alarms } = rotation
  if (!boards.includes(board)) return rotation
  if (board === shown) return { ...rotation, since: now, isFramed: true }
  if (alarms.includes(board)) return rotation
  if (isAlarm || isFramed || isHeld) return { ...rotation, alarms: [...alarms, board] }
  return show(rotation, board, now, true)
}

/** How far the picture is moved in a minute of time, in vmin: never more than 0.4, and another way each minute. */
export function shiftAt(now: number): { x: number; y: number } {
  const minute = Math.floor(now / 60_000)
  const angle = minute * goldenAngle
  const reach = 0.4 * Math.sqrt(((minute * 5) % 16) / 15)
  return { x: reach * Math.cos(angle), y: reach * Math.sin(angle) }
}
const goldenAngle = Math.PI * (3 - Math.sqrt(5))
