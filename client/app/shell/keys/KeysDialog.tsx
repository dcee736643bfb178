import { useSnapshot } from 'valtio'
import { closeShellDialog, shellDialogs } from '#client/app/shell/shellDialogs.state.ts'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { keyDescriptions } from './keys.ts'
import classes from './KeysDialog.module.css'

/** List of all keyboard shortcuts. */
export function KeysDialog() {
  const { open } = useSnapshot(shellDialogs)
  return (
    <Dialog opened={open === 'keys'} size="M" title="Keyboard shortcuts" onClose={closeShellDialog}>
      <div className={classes.groups}>
        {keyDescriptions.map(({ title, keys }) => (
          <section key={title}>
            <h3 className="bold bottom-4">{title}</h3>
            <dl className={classes.keys}>
              {keys.map(({ keys, description }) => (
                <div className="row between min-32 line-bottom" key={description}>
                  <dt>{description}</dt>
                  <dd className="flex fixed gap-4">
                    {keys.map((key) => (
                      <kbd key={key} className={classes.key}>
                        {key}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="muted top-8">Single-key shortcuts are off while you type in a field.</p>
    </Dialog>
  )
}
