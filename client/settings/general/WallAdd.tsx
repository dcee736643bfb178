import { type NewWallToken, WallTokenDraft, wallTokens } from '#events/wall.ts'
import { call } from '../../app/call.ts'
import { AddByName } from '../AddByName.tsx'

const words = {
  open: 'Add wall display',
  field: 'Name of the new wall display',
  hint: 'Where it hangs, such as Lobby',
  add: 'Make address',
}

/** Where a new display gets its name. */
export function WallAdd({ onAdded }: { onAdded: (wall: NewWallToken) => void }) {
  const create = (body: { name: string }) => call(wallTokens.create, { body })
  return <AddByName words={words} schema={WallTokenDraft} create={create} onAdded={onAdded} />
}
