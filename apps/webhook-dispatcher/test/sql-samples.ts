import { countedDeliveries, fewDeliveries, pageOfDeliveries } from '../src/deliveries/deliveries.sql.js';

/** What functions make, of what the service passes. */
export const samples = {
  pageOfDeliveries: {
    'of a webhook': pageOfDeliveries(countedDeliveries, false),
    'of a run, with one status': pageOfDeliveries(fewDeliveries, true),
  },
};
