// The device: there is one, and each time that it is opened it is a card of its own, with its own atomic unit.
#include "card.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static struct ibv_device device = {
    .node_type = IBV_NODE_CA,
    .transport_type = IBV_TRANSPORT_IB,
    .name = "remora0",
    .dev_name = "uverbs0",
    .dev_path = "/sys/class/infiniband_verbs/uverbs0",
    .ibdev_path = "/sys/class/infiniband/remora0",
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void start(void) {
  read_settings();
  open_log();
  start_progress();
  atexit(stop_progress);
}

struct ibv_device **ibv_get_device_list(int *number) {
  struct ibv_device **list = calloc(2, sizeof *list);
  if (list == NULL) return NULL;
  list[0] = &device;
  if (number != NULL) *number = 1;
  return list;
}

void ibv_free_device_list(struct ibv_device **list) { free(list); }
const char *ibv_get_device_name(struct ibv_device *d) { return d->name; }
int ibv_get_device_index(struct ibv_device *d) { return (void)d, 0; }
__be64 ibv_get_device_guid(struct ibv_device *d) { return (void)d, htobe64(0x52454d4f52410001U); }
int ibv_fork_init(void) { return 0; }
enum ibv_fork_status ibv_is_fork_initialized(void) { return IBV_FORK_UNNEEDED; }

static int query_port(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr, size_t size) {
  (void)context;
  if (port != 1) return EINVAL;
  const struct ibv_port_attr known = {
      .state = IBV_PORT_ACTIVE, .max_mtu = IBV_MTU_4096, .active_mtu = IBV_MTU_4096, .gid_tbl_len = 1,
      .max_msg_sz = MAX_MESSAGE, .pkey_tbl_len = 1, .lid = 1, .sm_lid = 1, .max_vl_num = 1, .active_width = 2,
      .active_speed = 32, .phys_state = 5, .link_layer = IBV_LINK_LAYER_INFINIBAND};
  memset(attr, 0, size);
  memcpy(attr, &known, size < sizeof known ? size : sizeof known);
  return 0;
}

static int query_device_ex(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
                           struct ibv_device_attr_ex *attr, size_t size) {
  if (input != NULL && input->comp_mask != 0) return EINVAL;
  memset(attr, 0, size);
  return ibv_query_device(context, &attr->orig_attr);
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr) {
  (void)context;
  *attr = (struct ibv_device_attr){
      .node_guid = ibv_get_device_guid(&device), .sys_image_guid = ibv_get_device_guid(&device),
      .max_mr_size = UINT64_MAX, .page_size_cap = 0xfffff000, .max_qp = QUEUE_PAIRS, .max_qp_wr = MAX_WORKS,
      .max_sge = SGES, .max_sge_rd = SGES, .max_cq = 65536, .max_cqe = 1 << 20, .max_mr = REGIONS, .max_pd = 65536,
      .max_qp_rd_atom = WINDOW, .max_qp_init_rd_atom = WINDOW, .max_res_rd_atom = 65536,
      .atomic_cap = settings.fabric->bag ? IBV_ATOMIC_NONE : IBV_ATOMIC_HCA,
      .max_srq = 65536, .max_srq_wr = MAX_WORKS, .max_srq_sge = SGES, .max_pkeys = 1, .local_ca_ack_delay = 15, .phys_port_cnt = 1};
  // So that results say what they are of.
  const char *rule = settings.broken_name;
  snprintf(attr->fw_ver, sizeof attr->fw_ver, "weak %s%s%s", settings.fabric->name, rule != NULL ? " without " : "", rule != NULL ? rule : "");
  return 0;
}

struct ibv_context *ibv_open_device(struct ibv_device *d) {
  pthread_once(&once, start);
  struct nic *nic = calloc(1, sizeof *nic);
  if (nic == NULL) return NULL;
  lock();
  nic->number = (int)(room->nics++ % NICS);
  unlock();
  struct verbs_context *verbs = &nic->verbs;
  verbs->sz = sizeof *verbs;
  verbs->query_port = query_port;
  verbs->query_device_ex = query_device_ex;
  verbs->create_qp_ex = create_qp_ex;
  missing_operations(verbs);
  struct ibv_context *context = &verbs->context;
  context->device = d;
  context->abi_compat = __VERBS_ABI_IS_EXTENDED;
  context->num_comp_vectors = 1;
  context->cmd_fd = -1;
  context->async_fd = eventfd(0, EFD_CLOEXEC);
  context->ops.poll_cq = poll_cq;
  context->ops.req_notify_cq = req_notify_cq;
  context->ops.post_send = post_send;
  context->ops.post_recv = post_recv;
  context->ops.post_srq_recv = post_srq_recv;
  pthread_mutex_init(&context->mutex, NULL);
  return context;
}

int ibv_close_device(struct ibv_context *context) {
  close(context->async_fd);
  pthread_mutex_destroy(&context->mutex);
  free(nic_of(context));
  return 0;
}

// No event ever comes.
int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event) {
  uint64_t count;
  (void)event;
  if (read(context->async_fd, &count, sizeof count) < 0) return -1;
  return errno = EAGAIN, -1;
}

void ibv_ack_async_event(struct ibv_async_event *event) { (void)event; }

int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *attr) {
  return query_port(context, port, (struct ibv_port_attr *)attr, offsetof(struct ibv_port_attr, port_cap_flags2));
}

int ibv_query_gid(struct ibv_context *context, uint8_t port, int index, union ibv_gid *gid) {
  (void)context;
  if (port != 1 || index != 0) return errno = EINVAL, -1;
  gid->global.subnet_prefix = htobe64(0xfe80000000000000U);
  gid->global.interface_id = ibv_get_device_guid(&device);
  return 0;
}

int _ibv_query_gid_ex(struct ibv_context *context, uint32_t port, uint32_t index, struct ibv_gid_entry *entry, uint32_t flags,
                      size_t size) {
  if (flags != 0 || size < sizeof *entry) return EINVAL;
  *entry = (struct ibv_gid_entry){.gid_index = index, .port_num = port, .gid_type = IBV_GID_TYPE_IB};
  return ibv_query_gid(context, (uint8_t)port, (int)index, &entry->gid) == 0 ? 0 : ENODATA;
}

int ibv_query_pkey(struct ibv_context *context, uint8_t port, int index, __be16 *pkey) {
  (void)context;
  if (port != 1 || index != 0) return errno = EINVAL, -1;
  *pkey = htobe16(0xffff);
  return 0;
}

int ibv_get_pkey_index(struct ibv_context *context, uint8_t port, __be16 pkey) {
  (void)context;
  if (port == 1 && pkey == htobe16(0xffff)) return 0;
  return errno = EINVAL, -1;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context) {
  struct pd *pd = calloc(1, sizeof *pd);
  if (pd == NULL) return NULL;
  pd->base.context = context;
  lock();
  pd->number = ++room->pds;
  unlock();
  return &pd->base;
}

int ibv_dealloc_pd(struct ibv_pd *pd) {
  free((struct pd *)pd);
  return 0;
}
