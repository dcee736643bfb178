import { Button } from '@mantine/core'
import { IconPlus, IconServer2 } from '@tabler/icons-react'
import { useState } from 'react'
import { Dialog } from '../../ui/Dialog.tsx'
import classes from './AddStorage.module.css'

/** Asks which kind of storage is added. */
export function AddStorage({ onFileStorage }: { onFileStorage: () => void }) {
  const [isAsking, ask] = useState(false)
  const choose = () => {
    ask(false)
    onFileStorage()
  }
  return (
    <>
      <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => ask(true)}>
        Add a new storage type
      </Button>
      <Dialog opened={isAsking} onClose={() => ask(false)} title="Select a Storage Type">
        <button type="button" className={classes.kind} data-autofocus onClick={choose}>
          <IconServer2 size={24} stroke={1.5} aria-hidden />
          <span>
            <b>File Storage</b>
            <span className={classes.what}>Scanned by an agent</span>
          </span>
        </button>
      </Dialog>
    </>
  )
}
