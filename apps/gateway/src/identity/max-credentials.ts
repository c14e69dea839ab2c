/** Of each kind that a team may have at a time. */
export const maxCredentials = 500;
