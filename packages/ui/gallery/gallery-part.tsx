import type { ReactNode } from 'react'
import type { Locale } from '../src/languages.ts'
import styles from './gallery.module.css'

/** One component with its states. */
export function GalleryPart({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h2>{name}</h2>
      <div className={styles.states}>{children}</div>
    </section>
  )
}

type StateProps = {
  name: string
  /** Several small things beside each other. */
  side?: boolean
  children: ReactNode
}

/** One state of a component. */
export function State({ name, side = false, children }: StateProps) {
  return (
    <div className={styles.state}>
      <small>{name}</small>
      <div className={side ? styles.side : undefined}>{children}</div>
    </div>
  )
}

/** Long words of each language, to check for cut-off or broken text. */
export type Words = {
  readonly label: string
  readonly long: string
  readonly sentence: string
}

export const WORDS: Record<Locale, Words> = {
  en: {
    label: 'Verification code',
    long: 'Internationalisation responsibilities',
    sentence: 'Your account was changed a short while ago. You can withdraw again tomorrow.',
  },
  zh: {
    label: '验证码',
    long: '提现申请审核与账户安全设置',
    sentence: '您的账户刚刚有变更，为保护您的资金，明天起可再次提现。',
  },
  'zh-TW': {
    label: '驗證碼',
    long: '提現申請審核與帳戶安全設定',
    sentence: '您的帳戶剛剛有變更，為保護您的資金，明天起可再次提現。',
  },
  ja: {
    label: '認証コード',
    long: 'セキュリティコード変更手続きのお知らせ',
    sentence: 'アカウントが変更されたため、資金保護のため明日から再び出金できます。',
  },
  ko: {
    label: '인증 코드',
    long: '보안코드변경및출금제한안내',
    sentence: '계정이 방금 변경되었습니다. 자금 보호를 위해 내일부터 다시 출금할 수 있습니다.',
  },
  vi: {
    label: 'Mã xác minh qua thư điện tử',
    long: 'Thông tin tài khoản ngân hàng dùng để nhận tiền rút',
    sentence: 'Tài khoản của bạn vừa được thay đổi. Bạn có thể rút tiền trở lại từ ngày mai.',
  },
  id: {
    label: 'Kode verifikasi',
    long: 'Pertanggungjawaban ketidaksinambungan keanggotaan',
    sentence: 'Akun Anda baru saja diubah. Anda dapat menarik dana kembali mulai besok.',
  },
}
