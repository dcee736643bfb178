import { Button } from '@mantine/core'
import type { NewWallToken } from '#events/wall.ts'
import { wallAddress } from '../../app/links.ts'
import { Copied } from '../../ui/Copied.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import classes from './Wall.module.css'

type WallAddressProps = { added: NewWallToken | undefined; onClose: () => void }

/** The address that a display is opened with. The server does not keep its token, so only the button closes this. */
export function WallAddress({ added, onClose }: WallAddressProps) {
  return (
    <Dialog opened={added !== undefined} onClose={onClose} title={`${added?.name ?? ''} was added`} size="M" holds>
      <p className={classes.once}>
        This address is not shown again. Whoever has it sees storages, jobs and agents, and can change nothing.
      </p>
      {added && <Copied label="Address" text={wallAddress(added.token)} isFirst />}
      <p className={classes.words}>
        Set it as the start page of the display. Add <code>&amp;boards=capacity,jobs,growth,map,agents</code> to choose
        boards, <code>&amp;every=30</code> for the seconds of each (10 to 300), <code>&amp;scheme=dark</code> or{' '}
        <code>light</code> for its colours. There, Esc leaves, the arrow keys change the board, and Space holds it.
      </p>
      <div className={classes.buttons}>
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  )
}
