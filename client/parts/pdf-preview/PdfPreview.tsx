import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { toastFailure } from '#client/app/toasts/toasts.ts'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import classes from './PdfPreview.module.css'

type PdfPreviewProps = {
  title: string
  fileName: string
  make: () => Promise<Blob>
  onClose: () => void
}

/** Creates a PDF and shows it for download. Shows an error as a toast and closes the dialog. */
export function PdfPreview({ title, fileName, make, onClose }: PdfPreviewProps) {
  const address = useGeneratedFile(make, onClose)
  const isReady = address !== undefined
  return (
    <Dialog opened title={title} size="L" onClose={onClose}>
      <div className={classes.document} aria-busy={!isReady}>
        {isReady ? (
          <object
            className="tall full"
            data={`${address}#navpanes=0&view=FitH`}
            type="application/pdf"
            aria-label={`Preview of ${title}`}
          >
            This browser can't show PDF files here. Download the file to read it.
          </object>
        ) : (
          <output>Loading document...</output>
        )}
      </div>
      <div className={classes.foot}>
        {isReady ? (
          <Button component="a" href={address} download={fileName} leftSection={icon}>
            Download
          </Button>
        ) : (
          <Button disabled leftSection={icon}>
            Download
          </Button>
        )}
      </div>
    </Dialog>
  )
}

const icon = <IconDownload size={16} stroke={1.5} />

/** Object URL of a file that is created once; undefined until then. */
function useGeneratedFile(make: () => Promise<Blob>, onFail: () => void): string | undefined {
  const [address, setAddress] = useState<string>()
  const start = useEffectEvent(make)
  const fail = useEffectEvent((error: unknown) => {
    toastFailure(error)
    onFail()
  })
  useEffect(() => {
    let made: string | undefined
    let isShown = true
    start().then(
      (file) => {
        if (!isShown) return
        made = URL.createObjectURL(file)
        setAddress(made)
      },
      (error: unknown) => {
        if (isShown) fail(error)
      },
    )
    return () => {
      isShown = false
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [])
  return address
}
