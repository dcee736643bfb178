import type { WallBoard } from '#events/wall.ts'

/** Duration of an alarm's frame, in milliseconds. */
export const frameMs = 20_000

/**
 * State of the rotation. `turn` counts boards shown, so that each turn has its own key; `every` and `since` are in
 * milliseconds. An alarm shows its board for one turn; the rotation then returns to the interrupted board.
 */
export type Rotation = {
  readonly boards: readonly WallBoard[]
  readonly every: number
  readonly shown: WallBoard
  readonly turn: number
  readonly since: number
  /** Position in the rotation, kept while an alarm's board is shown. */
  readonly place: number
  readonly isHeld: boolean
  readonly isFramed: boolean
  readonly isAlarm: boolean
  /** Boards of waiting alarms. */
  readonly alarms: readonly WallBoard[]
}

export function beginRotation(boards: readonly WallBoard[], every: number, now: number): Rotation {
  const shown = boards[0] ?? 'capacity'
  const still = { isHeld: false, isFramed: false, isAlarm: false, alarms: [] }
  return { boards, every, shown, turn: 0, since: now, place: 0, ...still }
}

/** Same rotation with other boards or another duration; the current board stays if it is still among them. */
export function withOptions(rotation: Rotation, boards: readonly WallBoard[], every: number, now: number): Rotation {
  const { shown } = rotation
  if (boards.join() === rotation.boards.join() && every === rotation.every) return rotation
  const place = Math.max(0, boards.indexOf(shown))
  const options = { ...rotation, boards, every, place, alarms: rotation.alarms.filter((one) => boards.includes(one)) }
  return boards.includes(shown) ? { ...options, since: now } : show(options, boards[0] ?? shown, now, false)
}

/** Rotation at a point in time; the same object if nothing is due. Boards in `empty` are skipped. */
export function advance(rotation: Rotation, now: number, empty: ReadonlySet<WallBoard> = new Set()): Rotation {
  const { since, every, isHeld, isFramed } = rotation
  if (!isHeld && now - since >= every) return next(rotation, now, empty)
  return isFramed && now - since >= frameMs ? { ...rotation, isFramed: false } : rotation
}

function next(rotation: Rotation, now: number, empty: ReadonlySet<WallBoard> = new Set()): Rotation {
  const [alarm, ...alarms] = rotation.alarms
  if (alarm) return show({ ...rotation, alarms }, alarm, now, true)
  const { boards, place, isAlarm } = rotation
  const first = isAlarm ? place : place + 1
  const places = boards.map((_, by) => (first + by) % boards.length)
  return stepTo(rotation, places.find((at) => !empty.has(boards[at] ?? rotation.shown)) ?? first, now)
}

/** Moves by a number of boards, manually, also to empty ones. */
export const step = (rotation: Rotation, by: number, now: number): Rotation =>
  stepTo(rotation, rotation.place + by, now)

function stepTo(rotation: Rotation, to: number, now: number): Rotation {
  const { length } = rotation.boards
  const place = ((to % length) + length) % length
  return show({ ...rotation, place }, rotation.boards[place] ?? rotation.shown, now, false)
}

const show = (rotation: Rotation, shown: WallBoard, now: number, isAlarm: boolean): Rotation => ({
  ...rotation,
  shown,
  turn: rotation.turn + 1,
  since: now,
  isAlarm,
  isFramed: isAlarm,
})

/** Pauses or resumes: starts a full turn of the current board, or shows the waiting alarm. */
export function hold(rotation: Rotation, now: number): Rotation {
  const { isHeld, alarms } = rotation
  if (!isHeld) return { ...rotation, isHeld: true }
  const released = { ...rotation, isHeld: false }
  return alarms.length > 0 ? next(released, now) : { ...released, turn: rotation.turn + 1, since: now }
}

/**
 * Raises an alarm: shows its board immediately with a frame, unless another alarm is shown or the wall is paused; then
 * it waits. A board that is already shown starts a new turn. Boards that are not in the rotation are ignored.
 */
export function raise(rotation: Rotation, board: WallBoard, now: number): Rotation {
  const { boards, shown, isAlarm, isFramed, isHeld, alarms } = rotation
  if (!boards.includes(board)) return rotation
  if (board === shown) return { ...rotation, since: now, isFramed: true }
  if (alarms.includes(board)) return rotation
  if (isAlarm || isFramed || isHeld) return { ...rotation, alarms: [...alarms, board] }
  return show(rotation, board, now, true)
}

/** Offset of the picture at a point in time, in vmin: at most 0.4, and different every minute. */
export function shiftAt(now: number): { x: number; y: number } {
  const minute = Math.floor(now / 60_000)
  const angle = minute * goldenAngle
  const reach = 0.4 * Math.sqrt(((minute * 5) % 16) / 15)
  return { x: reach * Math.cos(angle), y: reach * Math.sin(angle) }
}
const goldenAngle = Math.PI * (3 - Math.sqrt(5))
