import type { NewWallToken } from '#events/wall.ts'
import { wallAddress } from '../../app/links.ts'
import { SecretShownOnce } from '../ShownOnce.tsx'

/** The address that a display is opened with. */
export function WallAddress({ added, onClose }: { added: NewWallToken | undefined; onClose: () => void }) {
  return (
    <SecretShownOnce
      title={`${added?.name ?? ''} was added`}
      label="This address"
      secret={added && wallAddress(added.token)}
      warning="Whoever has it sees storages, jobs and agents, and can change nothing."
      onClose={onClose}
    >
      Set it as the start page of the display. Add <code>&amp;boards=capacity,jobs,growth,map,agents</code> to choose
      boards, <code>&amp;every=30</code> for the seconds of each (10 to 300), <code>&amp;scheme=dark</code> or{' '}
      <code>light</code> for its colours. There, Esc leaves, the arrow keys change the board, and Space holds it.
    </SecretShownOnce>
  )
}
