import { Button } from '@mantine/core'
import { CopyableText } from '#client/ui/values/CopyableText.tsx'

/** New recovery codes, which are shown this once. */
export const RecoveryCodes = ({ codes, onDone }: { codes: string[]; onDone: () => void }) => (
  <div className="stack gap-16">
    <p>
      Keep these recovery codes somewhere safe. Each signs you in once if you lose your phone. They are not shown again.
    </p>
    <CopyableText label="Recovery codes" text={codes.join('\n')} isFirst />
    <div className="flex end">
      <Button onClick={onDone}>I have saved them</Button>
    </div>
  </div>
)
