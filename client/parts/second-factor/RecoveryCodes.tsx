import { Button } from '@mantine/core'
import { CopyableText } from '#client/ui/values/CopyableText.tsx'
import classes from './SecondFactor.module.css'

/** New recovery codes, which are shown this once. */
export const RecoveryCodes = ({ codes, onDone }: { codes: string[]; onDone: () => void }) => (
  <div className={classes.steps}>
    <p>
      Keep these recovery codes somewhere safe. Each signs you in once if you lose your phone. They are not shown again.
    </p>
    <CopyableText label="Recovery codes" text={codes.join('\n')} isFirst />
    <div className={classes.done}>
      <Button onClick={onDone}>I have saved them</Button>
    </div>
  </div>
)
